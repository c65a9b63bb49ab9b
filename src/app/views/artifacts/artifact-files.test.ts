import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId, treeId, type TreeId } from '../../../core/model/ids.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { foldArtifacts } from '../../../protocol/artifacts/fold-artifacts.ts';
import { began, made, testRecords, type TestFact } from '../../../protocol/workflow-state/testing/test-records.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { ArtifactFiles } from './artifact-files.ts';
import { readTree } from '../../runs/tree-reader.ts';

/** A real store with trees of the test's making, and a journal that names them. */
async function bench() {
  const home = mkdtempSync(join(tmpdir(), 'troupe-artifacts-'));
  const project = join(home, 'project');
  mkdirSync(project);
  const workspaces = createWorkspaces({ home });
  onTestFinished(async () => {
    await workspaces.close();
    rmSync(home, { recursive: true, force: true });
  });
  const trees = await workspaces.store(project);
  const journal = createMemoryJournal();
  const open = async (facts: readonly TestFact[]) => {
    const root = runId('r');
    const header = { run: root, parent: null, workflow: 'w', project, title: '', at: 0 };
    const records = testRecords([
      began('r', { project, files: { tree: await treeOf(trees, {}), source: 'plain' } }),
      ...facts,
    ]);
    await journal.create(header, 'me', { records, summary: { status: 'running', outcome: null } });
    const read = await readTree(journal, root);
    const files = await ArtifactFiles.open({ store: { home, journal }, root, records: read, trees });
    const looked = await files.look(foldArtifacts(read));
    return { files, artifacts: looked, now: looked.map(({ path, now }) => `${path} ${now}`) };
  };
  return { home, trees, open };
}

async function treeOf(trees: TreeStore, files: Readonly<Record<string, string>>): Promise<TreeId> {
  const entries = await Promise.all(
    Object.entries(files).map(
      async ([path, text]) =>
        [path, { kind: 'file', mode: 0o644, blob: await trees.addBlob(Buffer.from(text)) }] as const,
    ),
  );
  return await trees.write(new Map(entries));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const recorded = (path: string, text: string, metadata: object = {}): TestFact =>
  made('t1', path, { hash: hashOf(text), id: `r/${path}@${hashOf(text).slice(0, 12)}`, bytes: text.length, metadata });

const holds = (tree: TreeId, version: number, more: object = {}): TestFact => ({
  kind: 'files.changed',
  workspace: 'main',
  tree,
  version,
  base: tree,
  why: 'work',
  task: 't1',
  ...more,
});

async function textOf(files: ArtifactFiles, artifact: Parameters<ArtifactFiles['content']>[0]): Promise<string> {
  let text = '';
  for await (const piece of files.content(artifact)) text += piece.toString();
  return text;
}

test('[PH4] a file is the same, changed since, gone, or replaced by a later version', async () => {
  const { trees, open } = await bench();
  const then = await treeOf(trees, { same: '1', changed: '1', gone: '1', twice: '1' });
  const now = await treeOf(trees, { same: '1', changed: '2', twice: '2' });
  const { now: states } = await open([
    holds(then, 1),
    ...['same', 'changed', 'gone', 'twice'].map((path) => recorded(path, '1', { tree: then })),
    holds(now, 2),
    recorded('twice', '2', { tree: now }),
  ]);
  expect(states).toEqual(['same same', 'changed changed', 'gone gone', 'twice replaced', 'twice same']);
});

test('[PH4] the content is that of the record, whatever became of the file', async () => {
  const { trees, open } = await bench();
  const then = await treeOf(trees, { a: 'as it was\n' });
  const { files, artifacts } = await open([
    holds(then, 1),
    recorded('a', 'as it was\n', { tree: then }),
    holds(await treeOf(trees, {}), 2, { why: 'rollback', task: null }),
  ]);
  expect(artifacts).toMatchObject([{ now: 'gone' }]);
  expect(await Promise.all(artifacts.map((artifact) => textOf(files, artifact)))).toEqual(['as it was\n']);
});

test('[PH4] where the record names no tree it is the one that its workspace had then', async () => {
  const { trees, open } = await bench();
  const { files, artifacts, now } = await open([
    holds(await treeOf(trees, { a: '1' }), 1),
    recorded('a', '1'),
    holds(await treeOf(trees, { a: '2' }), 2),
  ]);
  expect(now).toEqual(['a changed']);
  expect(await Promise.all(artifacts.map((artifact) => textOf(files, artifact)))).toEqual(['1']);
});

test('[PH2] the file of an agent with its own workspace is looked for there until that is merged', async () => {
  const { trees, open } = await bench();
  const own = await treeOf(trees, { a: '1' });
  const empty = await treeOf(trees, {});
  const begun = [
    holds(empty, 1),
    { kind: 'workspace.made', workspace: 'apart', tree: empty, version: 1 } as const,
    holds(own, 2, { workspace: 'apart' }),
    recorded('a', '1', { tree: own, workspace: 'apart' }),
  ];
  expect((await open(begun)).now).toEqual(['a same']);
  const { trees: others, open: again } = await bench();
  const merged = await treeOf(others, { a: '2' });
  await treeOf(others, { a: '1' });
  await treeOf(others, {});
  expect((await again([...begun, holds(merged, 2, { why: 'merge', from: 'apart' })])).now).toEqual(['a changed']);
});

test('[PH4] files that are not kept any more are reported as such', async () => {
  const { open } = await bench();
  const { files, artifacts, now } = await open([recorded('a', '1', { tree: treeId('1'.repeat(40)) })]);
  expect(now).toEqual(['a unknown']);
  const content = Promise.all(artifacts.map((artifact) => textOf(files, artifact)));
  await expect(content).rejects.toMatchObject({ code: 'FILES_PRUNED' });
});

test('[L4] content that is not what was recorded is no content', async () => {
  const { trees, open } = await bench();
  const then = await treeOf(trees, { a: 'other' });
  const { files, artifacts } = await open([holds(then, 1), recorded('a', '1', { tree: then })]);
  const content = Promise.all(artifacts.map((artifact) => textOf(files, artifact)));
  await expect(content).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
});

test('[PH4] a file that is ignored is in no tree: its content is on the disk, or only its hash is known', async () => {
  const { home, trees, open } = await bench();
  const file = join(home, 'runs/r/work/dist/a');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '1');
  const { files, artifacts, now } = await open([
    holds(await treeOf(trees, {}), 1),
    recorded('dist/a', '1'),
    recorded('dist/b', '1'),
  ]);
  expect(now).toEqual(['dist/a same', 'dist/b gone']);
  const [there, away] = artifacts;
  if (there === undefined || away === undefined) throw new Error('Both were recorded.');
  expect(await textOf(files, there)).toBe('1');
  await expect(textOf(files, away)).rejects.toMatchObject({ code: 'ARTIFACT_NOT_KEPT' });
});
