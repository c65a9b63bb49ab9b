import { Fault } from '../../core/fault.ts';
import type { SandboxWish } from '../../sandbox/choose-sandbox.ts';
import type { Invocation } from '../command-spec.ts';
import { textOption } from '../invocation.ts';

export const SANDBOX_LEVELS: readonly SandboxWish[] = ['bubblewrap', 'landlock', 'none', 'best'];

/** `--sandbox LEVEL`, or `TROUPE_SANDBOX` for all commands of a shell; null when the user said nothing. */
export function sandboxOption(invocation: Invocation): SandboxWish | null {
  const given = textOption(invocation, 'sandbox') ?? (invocation.terminal.environment['TROUPE_SANDBOX'] || undefined);
  return given === undefined ? null : knownLevel(given);
}

export function knownLevel(given: string): SandboxWish {
  const level = SANDBOX_LEVELS.find((one) => one === given);
  if (level !== undefined) return level;
  throw new Fault('USAGE', `There is no sandbox "${given}".`, { hint: `It is one of: ${SANDBOX_LEVELS.join(', ')}.` });
}
