import type { JournalRecord } from '../record/fact.ts';
import type { ProjectChanged } from '../record/files-fact.ts';
import type { TreeId } from '../model/ids.ts';

/**
 * The changes to the user's files that were made after a record, newest first: undone in this order, the files are what they
 * were then. Undone changes cancel out. A fork does not undo changes of its parent.
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

/** A record that a change was written completely needs no undo: it only names the files. */
function complete(open: ProjectChanged[], { after, workspace, tree }: ProjectChanged): void {
  const last = open.at(-1);
  if (last?.after !== after || workspace === undefined || tree === undefined) return;
  open[open.length - 1] = { ...last, workspace, tree };
}

/** The tree of a workspace that the user's files hold: as of the newest change that was written completely and not undone. */
export function appliedOf(records: readonly JournalRecord[], workspace: string): TreeId | null {
  const applied = changesToUndo(records, 0).filter(({ how }) => how === 'applied');
  return applied.find((change) => change.workspace === workspace)?.tree ?? null;
}

/** An apply that was started but not finished: some of its files may be written. */
export interface UnfinishedApply {
  /** The record before its first file; one that was restarted counts from the first time. */
  readonly seq: number;
  readonly change: ProjectChanged;
  /** All files are written; only the end of its delivery is not in the journal. */
  readonly isWritten: boolean;
}

export function unfinishedApply(records: readonly JournalRecord[]): UnfinishedApply | null {
  let open: UnfinishedApply | null = null;
  let isDelivering = false;
  for (const { seq, fact } of records) {
    if (fact.kind === 'delivery.started') isDelivering = true;
    if (fact.kind === 'delivery.finished') isDelivering = false;
    if (fact.kind === 'run.forked' || (fact.kind === 'delivery.finished' && open?.isWritten === true)) open = null;
    if (fact.kind === 'project.changed') open = afterChange(open, { seq, fact, isDelivering });
  }
  return open;
}

interface Change {
  readonly seq: number;
  readonly fact: ProjectChanged;
  readonly isDelivering: boolean;
}

function afterChange(open: UnfinishedApply | null, { seq, fact, isDelivering }: Change): UnfinishedApply | null {
  if (fact.isBeginning === true) return { ...(open ?? { seq, change: fact }), isWritten: false };
  return open !== null && isDelivering && fact.how === 'applied' ? { ...open, isWritten: true } : null;
}
