import { existsSync } from 'node:fs';
import type { RunId } from '../../core/ids.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { rootRun } from './root-run.ts';

/** Where the agents of a run work, if that folder has been made; children work in the folder of their root run. */
export function existingFolder(home: string, run: RunId): string | null {
  const { work } = runPlace(home, rootRun(run));
  return existsSync(work) ? work : null;
}
