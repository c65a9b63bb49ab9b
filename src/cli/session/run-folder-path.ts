import { existsSync } from 'node:fs';
import { runPlace } from '../../workspace/run-place.ts';

/** Where the agents of a run work, if that folder has been made; children work in the folder of their root run. */
export function existingFolder(home: string, run: string): string | null {
  const root = run.split('/')[0] ?? run;
  const { work } = runPlace(home, root);
  return existsSync(work) ? work : null;
}
