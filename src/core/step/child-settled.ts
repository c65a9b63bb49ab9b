import { endTask } from './end-task.ts';
import type { ChildSettled } from '../model/event.ts';
import { doubtsOf } from '../record/file-doubts.ts';
import { childRunId, type TaskId } from '../model/ids.ts';
import { openChildren, parentTask, type OpenChild } from '../fold/open-children.ts';
import type { StepProgress } from './progress.ts';
import { unmergedRecord } from '../record/unmerged-files.ts';
import { isNothing, NO_USAGE, type Spent } from '../model/usage.ts';
import { notReported } from '../fold/tree-cost.ts';
import { workspaceScope } from '../model/workspace-name.ts';

/**
 * A child run has ended. Its changes to files shared with this run are recorded here too, since every record has its files.
 * The answer and cost of a sub-agent arrive with its tool call; if its turn was stopped, only the cost counts.
 */
export function childSettled(progress: StepProgress, event: ChildSettled): void {
  const open = openChildren(progress.snapshot).find(({ id }) => id === event.child);
  takeOverFiles(progress, event, turnOf(progress, open));
  if (open === undefined) noteSpent(progress, event);
  else if (open.toolCall === undefined) endTask(progress, open.task, { ...event, ...restOf(progress, event) });
}

/** The turn of this run that the child took: its files are the work of the agent. */
const turnOf = (progress: StepProgress, open: OpenChild | undefined): TaskId | null =>
  open !== undefined && progress.task(open.id)?.work.kind === 'turn' ? open.task : null;

/** A child workspace that waits for a merge will never be merged now. */
function takeOverFiles(progress: StepProgress, { child, workspaces }: ChildSettled, task: TaskId | null): void {
  const own = workspaceScope(childRunId(progress.snapshot.run, child));
  for (const [workspace, files] of Object.entries(workspaces)) {
    const { tree, version, base } = files;
    if (version <= (progress.snapshot.workspaces[workspace]?.version ?? 0)) continue;
    const change = { workspace, tree, version, base, why: 'work', task, ...doubtsOf(files) } as const;
    const unmerged = workspace.startsWith(own) ? {} : unmergedRecord(files);
    progress.record({ kind: 'files.changed', ...change, ...unmerged });
  }
}

function noteSpent(progress: StepProgress, event: ChildSettled): void {
  const spent = restOf(progress, event);
  if (event.isFound === true || isNothing(spent)) return;
  progress.record({ kind: 'usage.noted', task: parentTask(event.child), ...spent, isOfChild: true });
}

/** Its cost without what it reported while it worked. */
const restOf = ({ snapshot }: StepProgress, { child, usage = NO_USAGE, costUsd = 0 }: ChildSettled): Spent =>
  notReported(snapshot, child, { usage, costUsd });
