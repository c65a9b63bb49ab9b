import { branchList } from '../../app/results/branch-list.ts';
import { notComparedFiles } from '../../app/results/not-compared.ts';
import type { DiffRequest, RunDiff } from '../../app/results/run-diff.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { changesLine, changesOf } from '../../app/views/changes-of.ts';
import { changeViews, viewsBeyondPatch } from '../../host/deliver/change-view.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { branchLines, noBranchesText } from '../files/branch-lines.ts';
import { changeLines, changeSummary } from '../files/change-lines.ts';
import { notComparedLine } from '../files/not-compared-line.ts';
import { patchText } from '../files/patch-text.ts';
import { flag, textOptions, word } from '../invocation.ts';
import { withLooking } from '../session/looking.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote } from '../terminal/terminal.ts';

/** `troupe diff RUN`: what a run changed, as a patch that `git apply` takes, or as a list. */
export async function diffCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const isJson = flag(invocation, 'json');
  return await withLooking(invocation, async (looking) => {
    const info = await findRun(looking.store.journal, word(invocation, 0) ?? 'last', terminal.folder);
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
