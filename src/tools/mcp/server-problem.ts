import type { Transport } from '@modelcontextprotocol/client';
import { withoutValues } from '../../secrets/without-values.ts';
import { ProcessTransport } from './process-transport.ts';

/** What is wrong with a server, in our own words: they hold nothing secret. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
}

/** Who did not answer, and what must not be shown of what it printed. */
export interface FailedServer {
  /** Begins the sentence: `The search server`. */
  readonly subject: string;
  readonly transport: Transport | null;
  readonly secrets: readonly string[];
}

/** Why a server gave no answer, for the agent. */
export function serverProblemText(error: unknown, { subject, transport, secrets }: FailedServer): string {
  if (error instanceof ServerProblem) return `${subject} cannot be used: ${error.message}.`;
  if (transport instanceof ProcessTransport) {
    return `${subject} gave no answer.${printed(transport.errorOutput, secrets)}`;
  }
  return `${subject} could not be asked: ${codeOf(error)}.`;
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
    if (typeof status === 'number') return `status ${status}${STATUS_HINTS[status] ?? ''}`;
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code)) return at.code;
  }
  return 'its answer was not understood';
}

const REDIRECT = ' (it redirects; the url has to be the address that it leads to)';
const STATUS_HINTS: Readonly<Record<number, string>> = {
  301: REDIRECT,
  302: REDIRECT,
  303: REDIRECT,
  307: REDIRECT,
  308: REDIRECT,
  401: ' (it wants a key)',
};
