import type { ProjectFiles } from '../../core/record/files-fact.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { ProjectState } from '../../workspace/port.ts';

/** The files of the project that no agent gets, for the record. Only a few examples: a folder full of sockets must not fill the journal. */
export function notedSkipped(skipped: ProjectState['skipped']): Pick<ProjectFiles, 'skipped'> {
  if (skipped.length === 0) return {};
  const first = skipped.slice(0, MAX_SKIPPED);
  const some = first.map(({ path, why }) => ({ path: shownPath(Buffer.from(path, 'latin1')), why }));
  return { skipped: { count: skipped.length, some } };
}

const MAX_SKIPPED = 20;
