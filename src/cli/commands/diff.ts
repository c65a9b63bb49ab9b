import { branchList } from '../../app/results/with-git.ts';
import { changesLine, changesOf, notComparedFiles } from '../../app/views/changes-of.ts';
import type { DiffRequest, RunDiff } from '../../app/results/run-diff.ts';
import { changeViews, viewsBeyondPatch } from '../../host/deliver/change-view.ts';
import type { RunInfo } from '../../journal/port.ts';
import { flag, type Invocation, textOptions } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import {
  branchLines,
  changeLines,
  changeSummary,
  noBranchesText,
  notComparedLine,
  patchText,
} from '../files/change-lines.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote } from '../terminal/terminal.ts';
import { lookAtRun } from './carry-out.ts';

/** `troupe diff RUN`: what a run changed, as a patch that `git apply` takes, or as a list. */
export async function diffCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const isJson = flag(invocation, 'json');
  return await lookAtRun(invocation, async (looking, info) => {
    if (flag(invocation, 'branches')) return await printBranches(invocation, info);
    const changes = await changesOf(looking, info, { ...requestOf(invocation), hasSizes: isJson });
    if (isJson) terminal.stdout.write(`${JSON.stringify(changesLine(info.run, changes))}\n`);
    else printDiff(invocation, changes.diff, info.run);
    return EXIT.ok;
  });
}

const requestOf = (invocation: Invocation): DiffRequest => ({
  ...textOptions(invocation, ['agent', 'workspace', 'from', 'to', 'against']),
  project: flag(invocation, 'project'),
  disk: flag(invocation, 'disk'),
  stat: flag(invocation, 'stat'),
});

async function printBranches({ terminal, options }: Invocation, info: RunInfo): Promise<number> {
  const list = await branchList(info);
  if (options['json'] === true) terminal.stdout.write(`${JSON.stringify(list)}\n`);
  else if (list.items.length === 0) terminal.stderr.write(noBranchesText(list));
  else terminal.stdout.write(branchLines(list));
  return EXIT.ok;
}

function printDiff(invocation: Invocation, diff: RunDiff, run: string): void {
  const { stdout, stderr, environment } = invocation.terminal;
  const paint = paintFor(stdout, environment);
  const changes = changeViews(diff.changes, diff.stat);
  const beyond = viewsBeyondPatch(diff);
  if (changes.length === 0) printNote(invocation.terminal, 'No file is different.');
  else if (flag(invocation, 'stat'))
    stdout.write(`${[...changeLines(changes, paint), changeSummary(changes)].join('\n')}\n`);
  else stdout.write(stdout.isTTY ? patchText(diff.patch, paint) : diff.patch);
  if (!flag(invocation, 'stat') && beyond.length > 0) {
    const lines = changeLines(beyond, paintFor(stderr, environment), 20);
    const way = diff.against === undefined ? ` (troupe deliver ${run} --apply does it exactly)` : '';
    printNote(invocation.terminal, `A patch cannot hold all of this${way}:\n  ${lines.join('\n  ')}`);
  }
  if (diff.against !== undefined && diff.against.notCompared.length > 0)
    printNote(invocation.terminal, notComparedLine(notComparedFiles(diff.against.notCompared)));
  if (diff.hasMore) {
    printNote(
      invocation.terminal,
      `The folder holds changes that no record of the run names. See them with: troupe diff ${run} --disk`,
    );
  }
}
