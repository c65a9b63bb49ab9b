import { existsSync } from 'node:fs';
import type { RunId } from '../../core/ids.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { rootRun } from './root-run.ts';

/** Where the agents of a run work, or would: the folder is made when one of them first uses a tool. */
export const runFolder = (home: string, run: RunId): string => runPlace(home, rootRun(run)).work;

/** Where the agents of a run work, if that folder has been made; children work in the folder of their root run. */
export function existingFolder(home: string, run: RunId): string | null {
  const folder = runFolder(home, run);
  return existsSync(folder) ? folder : null;
}
