import type { Wishes } from '../../protocol/operations/wishes.ts';
import type { Caller } from '../caller.ts';
import type { SandboxWish } from '../../sandbox/find-sandbox.ts';
import { Fault } from '../../core/model/fault.ts';

const SANDBOX_LEVELS: readonly SandboxWish[] = ['bubblewrap', 'landlock', 'none', 'best'];

export function knownLevel(given: string): SandboxWish {
  const level = SANDBOX_LEVELS.find((one) => one === given);
  if (level !== undefined) return level;
  throw new Fault('USAGE', `There is no sandbox "${given}".`, { hint: `It is one of: ${SANDBOX_LEVELS.join(', ')}.` });
}

/** For this run, or `TROUPE_SANDBOX` for all of a shell; null where neither was said. */
export function wishedSandbox({ sandbox }: Wishes, { environment }: Caller): SandboxWish | null {
  const named = environment['TROUPE_SANDBOX'];
  return sandbox ?? (named === undefined || named === '' ? null : knownLevel(named));
}
