import type { TreeId } from '../../core/ids.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { changeLines, changeSummary } from '../files/change-lines.ts';
import { changeViews, viewsBeyondPatch } from '../files/change-view.ts';
import { patchText } from '../files/patch-text.ts';
import { runDiff, type RunDiff } from '../files/run-diff.ts';
import { flag, word } from '../invocation.ts';
import { findRun } from '../session/find-run.ts';
import { withStore } from '../session/store.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe diff RUN`: what a run changed, as a patch that `git apply` takes, or as a list. */
export async function diffCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  return await withStore(terminal, async (store) => {
    const { run, project, driven } = await findRun(store.journal, word(invocation, 0) ?? 'last', terminal.folder);
    const workspaces = createWorkspaces({ home: store.home, settings: await settingsFor(invocation, project) });
    try {
      const trees = await workspaces.store(project);
      const projectTree = async (): Promise<TreeId> => (await workspaces.begin(project)).tree;
      const diff = await runDiff({ invocation, store, run, trees, projectTree, isDriven: driven });
      if (flag(invocation, 'json'))
        terminal.stdout.write(`${JSON.stringify({ kind: 'diff', run, ...jsonOf(diff) })}\n`);
      else printDiff(invocation, diff, run);
    } finally {
      await workspaces.close();
    }
    return EXIT.ok;
  });
}

/** What of the project counts as its files is the project's to say. */
async function settingsFor(invocation: Invocation, folder: string): Promise<WorkspaceSettings> {
  if (!flag(invocation, 'project')) return {};
  return (await openProject({ folder, environment: invocation.terminal.environment })).config.workspaces;
}

function jsonOf(diff: RunDiff): object {
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
    files: changeViews(diff.changes, stat),
    added,
    removed,
    hasMore,
    ...bytes,
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
    stderr.write(`A patch cannot tell all of this (troupe merge ${run} --apply does it exactly):\n`);
    stderr.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
  if (diff.hasMore) {
    stderr.write(
      `The folder holds changes that no record of the run names. See them with: troupe diff ${run} --disk\n`,
    );
  }
}
