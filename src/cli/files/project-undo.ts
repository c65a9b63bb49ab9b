import type { JournalRecord } from '../../core/fact.ts';
import type { ProjectChanged } from '../../core/files-fact.ts';
import { rollbackProject } from '../../workspace/changes/rollback-project.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';
import { pathText } from './change-view.ts';
import { standingInTheWay, type ConflictView } from './conflict-view.ts';
import type { RunId, TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../../workspace/store/port.ts';

/**
 * The changes of the user's own files that were made after a record, the newest first: undone in this order the files are
 * what they were then. What was undone already cancels out. What a fork's parent did is not the fork's to undo.
 */
export function changesToUndo(records: readonly JournalRecord[], to: number): readonly ProjectChanged[] {
  const forked = records.findLast(({ fact }) => fact.kind === 'run.forked')?.seq ?? 0;
  const open: ProjectChanged[] = [];
  for (const { seq, fact } of records) {
    if (fact.kind !== 'project.changed' || seq <= Math.max(to, forked)) continue;
    const last = open.at(-1);
    if (fact.before === fact.after) complete(open, fact);
    else if (last?.before === fact.after && last.after === fact.before) open.pop();
    else open.push(fact);
  }
  return open.toReversed();
}

/** That a change was written whole is nothing more to undo: it only says of which files it was. */
function complete(open: ProjectChanged[], { after, workspace, tree }: ProjectChanged): void {
  const last = open.at(-1);
  if (last?.after !== after || workspace === undefined || tree === undefined) return;
  open[open.length - 1] = { ...last, workspace, tree };
}

/** What of a workspace the user's files hold: as of the newest change that was written whole and not undone since. */
export function appliedOf(records: readonly JournalRecord[], workspace: string): TreeId | null {
  return changesToUndo(records, 0).find((change) => change.workspace === workspace)?.tree ?? null;
}

export interface UndoneProject {
  readonly changed: readonly string[];
  /** Left alone, since the user changed them meanwhile. */
  readonly conflicts: readonly ConflictView[];
}

/** Puts the user's files back, path by path; a second try after a crash finds done what was done. */
export async function undoInProject(
  { host }: Driving,
  { run, project, store }: { readonly run: RunId; readonly project: string; readonly store: TreeStore },
  changes: readonly ProjectChanged[],
): Promise<UndoneProject> {
  const changed = new Set<string>();
  const conflicts: ConflictView[] = [];
  for (const { how, before, after } of changes) {
    const done = await rollbackProject(store, { before, after, project });
    for (const path of [...done.written, ...done.removed]) changed.add(pathText(path));
    const inTheWay = done.kind === 'conflict' ? done.conflicts.map(standingInTheWay) : [];
    conflicts.push(...inTheWay);
    await host.noteProjectChange(run, {
      kind: 'project.changed',
      how: how === 'applied' ? 'rolled-back' : 'applied',
      before: after,
      after: before,
      kept: inTheWay.map(({ path }) => path),
      by: personName(),
    });
  }
  return { changed: [...changed].sort(), conflicts };
}
