import type { TreeId } from '../../core/ids.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { binarySizes, NO_SIZES, withSizes, type BinarySizes } from '../../app/results/binary-sizes.ts';
import { branchLines, branchList, noBranchesText } from '../files/branch-list.ts';
import { changeLines, changeSummary } from '../files/change-lines.ts';
import { changeViews, viewsBeyondPatch } from '../../host/deliver/change-view.ts';
import { notComparedFiles, notComparedLine } from '../files/not-compared.ts';
import { patchText } from '../files/patch-text.ts';
import { runDiff, type DiffRequest, type RunDiff } from '../../app/results/run-diff.ts';
import { flag, textOptions, word } from '../invocation.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { withStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe diff RUN`: what a run changed, as a patch that `git apply` takes, or as a list. */
export async function diffCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  return await withStore(terminal, async (store) => {
    const { run, project, driven } = await findRun(store.journal, word(invocation, 0) ?? 'last', terminal.folder);
    if (flag(invocation, 'branches')) return await printBranches(invocation, run, project);
    const workspaces = createWorkspaces({ home: store.home, settings: await settingsFor(invocation, project) });
    try {
      const trees = await workspaces.store(project);
      const projectTree = async (): Promise<TreeId> => (await workspaces.begin(project)).tree;
      const diff = await runDiff({ request: requestOf(invocation), store, run, trees, projectTree, isDriven: driven });
      const sizes = flag(invocation, 'json') ? await binarySizes(trees, diff) : NO_SIZES;
      if (flag(invocation, 'json'))
        terminal.stdout.write(`${JSON.stringify({ kind: 'diff', run, ...jsonOf(diff, sizes) })}\n`);
      else printDiff(invocation, diff, run);
    } finally {
      await workspaces.close();
    }
    return EXIT.ok;
  });
}

const requestOf = (invocation: Invocation): DiffRequest => ({
  ...textOptions(invocation, ['agent', 'workspace', 'from', 'to', 'against']),
  project: flag(invocation, 'project'),
  disk: flag(invocation, 'disk'),
  stat: flag(invocation, 'stat'),
});

async function printBranches({ terminal, options }: Invocation, run: string, project: string): Promise<number> {
  const list = await branchList(project);
  if (options['json'] === true) terminal.stdout.write(`${JSON.stringify({ kind: 'branches', run, ...list })}\n`);
  else if (list.branches.length === 0) terminal.stderr.write(noBranchesText(list));
  else terminal.stdout.write(branchLines(list));
  return EXIT.ok;
}

/** What of the project counts as its files is the project's to say. */
async function settingsFor(invocation: Invocation, folder: string): Promise<WorkspaceSettings> {
  if (!flag(invocation, 'project')) return {};
  return (await openProject({ ...invocation.terminal, folder })).config.workspaces;
}

function jsonOf(diff: RunDiff, sizes: BinarySizes): object {
  const { workspace, folder, before, after, stat, hasMore, patch } = diff;
  const text = patch.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(patch);
  const { added, removed } = stat;
  const bytes = isText ? { patch: text } : { patchBase64: patch.toString('base64') };
  return {
    workspace,
    folder,
    before,
    after,
    files: withSizes(changeViews(diff.changes, stat), sizes),
    added,
    removed,
    hasMore,
    ...againstOf(diff),
    ...bytes,
  };
}

function againstOf({ against }: RunDiff): object {
  if (against === undefined) return {};
  const { ref, commit, notCompared } = against;
  return {
    against: { ref, commit },
    ...(notCompared.length === 0 ? {} : { notCompared: notComparedFiles(notCompared) }),
  };
}

function printDiff(invocation: Invocation, diff: RunDiff, run: string): void {
  const { stdout, stderr, environment } = invocation.terminal;
  const paint = paintFor(stdout, environment);
  const changes = changeViews(diff.changes, diff.stat);
  const beyond = viewsBeyondPatch(diff);
  if (changes.length === 0) stderr.write('No file is different.\n');
  else if (flag(invocation, 'stat'))
    stdout.write(`${[...changeLines(changes, paint), changeSummary(changes)].join('\n')}\n`);
  else stdout.write(stdout.isTTY ? patchText(diff.patch, paint) : diff.patch);
  if (!flag(invocation, 'stat') && beyond.length > 0) {
    const lines = changeLines(beyond, paintFor(stderr, environment), 20);
    const way = diff.against === undefined ? ` (troupe merge ${run} --apply does it exactly)` : '';
    stderr.write(`A patch cannot tell all of this${way}:\n`);
    stderr.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
  if (diff.against !== undefined && diff.against.notCompared.length > 0)
    stderr.write(`${notComparedLine(notComparedFiles(diff.against.notCompared))}\n`);
  if (diff.hasMore) {
    stderr.write(
      `The folder holds changes that no record of the run names. See them with: troupe diff ${run} --disk\n`,
    );
  }
}
