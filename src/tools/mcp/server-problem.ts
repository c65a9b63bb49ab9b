import type { Transport } from '@modelcontextprotocol/client';
import { withoutValues } from '../../secrets/without-values.ts';
import { ProcessTransport } from './process-transport.ts';

/** What is wrong with a server, in our own words: they hold nothing secret. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
}

/** Why a server gave no answer, for the agent. `secrets` are taken out of what it printed. */
export function problemText(error: unknown, transport: Transport, secrets: readonly string[]): string {
  if (error instanceof ServerProblem) return `The search server cannot be used: ${error.message}.`;
  if (transport instanceof ProcessTransport) {
    return `The search server gave no answer.${printed(transport.errorOutput, secrets)}`;
  }
  return `The search server could not be asked: ${codeOf(error)}.`;
}

/** Its end alone, since the reason stands there. */
function printed(text: string, secrets: readonly string[]): string {
  const shown = withoutValues(text.trim(), secrets).slice(-MAX_PRINTED);
  return shown === '' ? '' : ` It printed: ${shown}`;
}

const MAX_PRINTED = 500;

/** The message itself may hold an address with a key in it. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { status } = at as { readonly status?: unknown };
    if (typeof status === 'number') return `status ${status}`;
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code;
  }
  return 'its answer was not understood';
}
