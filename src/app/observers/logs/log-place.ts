import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { runPlace } from '../../../workspace/run-place.ts';

/** Where the logs of a run lie, with those of all runs below it. */
export interface LogPlace {
  readonly folder: string;
  /** Everything. */
  readonly workflow: string;
  /** What one agent did, in whichever run. */
  readonly agent: (name: string) => string;
}

export function logPlace(home: string, root: string): LogPlace {
  const folder = join(runPlace(home, root).base, 'logs');
  return {
    folder,
    workflow: join(folder, 'workflows', `${root}.log`),
    agent: (name) => join(folder, 'agents', `${fileName(name)}.log`),
  };
}

/** Names that are no file names keep what can be read of them; the hash keeps them apart. */
function fileName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
