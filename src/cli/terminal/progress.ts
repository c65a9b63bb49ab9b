import type { Progress } from '../../app/world/progress.ts';
import { durationText } from '../../core/amount-text.ts';
import { counted } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';

export const isSamePlace = (one: Progress, other: Progress): boolean =>
  one.run === other.run && one.workspace === other.workspace;

/** A line of `--json`: `progress.started`, `progress.ended` or `progress.failed`. */
export function progressLine({ id: _id, state, run, ...rest }: Progress, root: string | null): object {
  return { kind: `progress.${state}`, run: run ?? root, ...rest };
}

/** What is going on. */
export function progressText({ what, workspace, command = '' }: Progress): string {
  if (what === 'project') return 'reading the project';
  return what === 'workspace'
    ? `making the workspace ${workspace}`
    : oneLine(`setting up ${workspace}: ${command}`, 100);
}

/** How it came out. */
export function doneText(progress: Progress): string {
  const { what, state, workspace, ms = 0, files } = progress;
  if (state === 'failed') return `${progressText(progress)}: failed after ${durationText(ms)}`;
  if (what === 'project')
    return `read the project${files === undefined ? '' : `: ${counted(files, 'file')}`} in ${durationText(ms)}`;
  return what === 'workspace'
    ? `the workspace ${workspace} is ready after ${durationText(ms)}`
    : `${workspace} is set up after ${durationText(ms)}`;
}
