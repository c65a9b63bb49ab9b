import { Fault } from '../../core/fault.ts';
import type { Limits } from '../../core/workflow.ts';
import type { SandboxWish } from '../../sandbox/choose-sandbox.ts';
import type { Caller } from '../caller.ts';

/** What somebody asks of a run besides its workflow and input. What is left out stays as the settings or the run have it. */
export interface Wishes {
  /** `MODEL` for all roles, or `ROLE=MODEL`. */
  readonly models?: readonly string[];
  /** `ACTOR` for all roles, or `ROLE=ACTOR`. */
  readonly actors?: readonly string[];
  /** How many units of a pool may be under way at the same time. */
  readonly slots?: number;
  readonly sandbox?: SandboxWish;
  /** Only `false` is a wish: no setup command is run. */
  readonly setup?: boolean;
  readonly limits?: Partial<Limits>;
  readonly delivery?: DeliveryWishes;
}

export interface DeliveryWishes {
  readonly apply?: true;
  readonly verify?: string;
  readonly allowsPartial?: true;
  readonly allowsSteering?: true;
  /** A folder that gets a copy of the result, as an absolute path. */
  readonly copyTo?: string;
}

export const SANDBOX_LEVELS: readonly SandboxWish[] = ['bubblewrap', 'landlock', 'none', 'best'];

/** For this run, or `TROUPE_SANDBOX` for all of a shell; null where neither was said. */
export function wishedSandbox({ sandbox }: Wishes, { environment }: Caller): SandboxWish | null {
  const named = environment['TROUPE_SANDBOX'];
  return sandbox ?? (named === undefined || named === '' ? null : knownLevel(named));
}

export function knownLevel(given: string): SandboxWish {
  const level = SANDBOX_LEVELS.find((one) => one === given);
  if (level !== undefined) return level;
  throw new Fault('USAGE', `There is no sandbox "${given}".`, { hint: `It is one of: ${SANDBOX_LEVELS.join(', ')}.` });
}
