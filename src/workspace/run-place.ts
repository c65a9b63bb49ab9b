import { join } from 'node:path';
import { Fault } from '../core/fault.ts';

/** Where the files of a root run lie. */
export interface RunPlace {
  readonly base: string;
  /** What agents work in. */
  readonly work: string;
  /** Private to the run's commands. */
  readonly home: string;
  readonly temporary: string;
  readonly manifest: string;
}

export function runPlace(home: string, run: string): RunPlace {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(run)) {
    throw new Fault('RUN_ID_INVALID', `"${run}" cannot be the id of a run with files of its own.`, {
      hint: 'Child runs work in the folder of their root run.',
      facts: { run },
    });
  }
  const base = join(home, 'runs', run);
  return {
    base,
    work: join(base, 'work'),
    home: join(base, 'home'),
    temporary: join(base, 'tmp'),
    manifest: join(base, 'manifest.json'),
  };
}
