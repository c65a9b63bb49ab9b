import { endTask } from './end-task.ts';
import type { ChildSettled } from '../model/event.ts';
import { doubtsOf } from '../record/file-doubts.ts';
import { childRunId } from '../model/ids.ts';
import { openChildren, parentTask } from '../fold/open-children.ts';
import type { StepProgress } from './progress.ts';
import { unmergedRecord } from '../record/unmerged-files.ts';
import { NO_USAGE } from '../model/usage.ts';
import { workspaceScope } from '../model/workspace-name.ts';

/**
 * A run below is over. What it did to files that it shared with this run is part of this run's story too: every record has its files.
 * What a sub-agent answers and costs comes with its tool call; where its turn was stopped nobody hears it, but it was paid for.
 */
export function childSettled(progress: StepProgress, event: ChildSettled): void {
  takeOverFiles(progress, event);
  const open = openChildren(progress.snapshot).find(({ id }) => id === event.child);
  if (open === undefined) noteSpent(progress, event);
  else if (open.toolCall === undefined) endTask(progress, open.task, event);
}

/** What waits for a merge in a workspace of the child's own waits in vain now. */
function takeOverFiles(progress: StepProgress, { child, workspaces }: ChildSettled): void {
  const own = workspaceScope(childRunId(progress.snapshot.run, child));
  for (const [workspace, files] of Object.entries(workspaces)) {
    const { tree, version, base } = files;
    if (version <= (progress.snapshot.workspaces[workspace]?.version ?? 0)) continue;
    const change = { workspace, tree, version, base, why: 'work', task: null, ...doubtsOf(files) } as const;
    const unmerged = workspace.startsWith(own) ? {} : unmergedRecord(files);
    progress.record({ kind: 'files.changed', ...change, ...unmerged });
  }
}

function noteSpent(progress: StepProgress, { child, isFound, usage = NO_USAGE, costUsd = 0 }: ChildSettled): void {
  if (isFound === true || (usage.calls === 0 && costUsd === 0)) return;
  progress.record({ kind: 'usage.noted', task: parentTask(child), usage, costUsd, isOfChild: true });
}
