import fc from 'fast-check';
import { onTestFinished, expect, test } from 'vitest';
import { runId } from '../../../core/model/ids.ts';
import { testProject, writeFiles } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileDiffs } from './file-diffs.ts';

async function bench(files: Readonly<Record<string, string | Uint8Array>>) {
  const { project, home } = testProject(files);
  const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
  onTestFinished(() => workspaces.close());
  const { tree } = await workspaces.begin(project);
  const workspace = await workspaces.open({ root: runId('r1'), name: 'impl_1', project, tree });
  const store = await workspaces.store(project);
  const diffs = async () => await fileDiffs(store, { before: tree, after: await workspace.record() });
  return { folder: workspace.folder, diffs, store };
}

const lines = (count: number, change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');

test('[PD6] the same two trees are compared once: checks read the diffs that reviewers are shown', async () => {
  const { folder, diffs } = await bench({ 'a.txt': lines(4) });
  writeFiles(folder, { 'a.txt': lines(4, { 2: 'TWO' }) });
  const first = await diffs();
  expect(await diffs()).toBe(first);
  writeFiles(folder, { 'a.txt': lines(4, { 3: 'THREE' }) });
  expect((await diffs())[0]?.hunks).toEqual([{ before: [3, 1], after: [3, 1] }]);
});

test('[PD2] hunks are the exact lines on both sides, at any position', async () => {
  const { folder, diffs } = await bench({ 'a.txt': lines(40), 'gone.txt': lines(2) });
  const made = lines(40, { 1: 'FIRST', 20: 'TWENTY\nmore', 40: 'LAST' }).replace('line 30\nline 31\n', '');
  writeFiles(folder, { 'a.txt': made, 'new.txt': 'one\ntwo' });
  rmSync(join(folder, 'gone.txt'));
  const [a, gone, fresh] = await diffs();
  expect(a).toMatchObject({ path: 'a.txt', how: 'changed', added: 4, removed: 5, isBinary: false });
  expect(a?.hunks).toEqual([
    { before: [1, 1], after: [1, 1] },
    { before: [20, 1], after: [20, 2] },
    { before: [30, 2], after: [31, 0] },
    { before: [40, 1], after: [39, 1] },
  ]);
  expect(gone).toMatchObject({ path: 'gone.txt', how: 'deleted', hunks: [{ before: [1, 2], after: [1, 0] }] });
  expect(fresh).toMatchObject({ path: 'new.txt', how: 'added', hunks: [{ before: [1, 0], after: [1, 2] }] });
  expect(fresh?.text).toContain('+one\n+two');
});

test('[PD2] odd names, links, modes and lines that look like headers each stay with their file', async () => {
  const { folder, diffs } = await bench({ 'a"b\n.txt': 'x\n', link: 'was a file\n', 'z.txt': '1\n' });
  writeFiles(folder, { 'a"b\n.txt': 'diff --git a/z.txt b/z.txt\n@@ -1 +1 @@\n', 'z.txt': '2\n' });
  rmSync(join(folder, 'link'));
  symlinkSync('z.txt', join(folder, 'link'));
  const found = await diffs();
  expect(found.map(({ path, how }) => [path, how])).toEqual([
    ['a"b\n.txt', 'changed'],
    ['link', 'changed'],
    ['z.txt', 'changed'],
  ]);
  expect(found[0]?.hunks).toEqual([{ before: [1, 1], after: [1, 2] }]);
  expect(found[2]).toMatchObject({ hunks: [{ before: [1, 1], after: [1, 1] }] });
  expect(found[2]?.text).toContain('-1\n+2');
});

test('[PD2] a carriage return in a line does not pass for a new file, which would shift the diffs of all that follow', async () => {
  const { folder, diffs } = await bench({ 'z.txt': '1\n' });
  writeFiles(folder, { 'a.txt': 'fine\rdiff --git a/b.txt b/b.txt\nmore\n', 'm.txt': 'm\n', 'z.txt': '2\n' });
  const [a, m, z] = await diffs();
  expect(a?.hunks).toEqual([{ before: [1, 0], after: [1, 2] }]);
  expect(m?.text).toContain('+m\n');
  expect(z?.text).toContain('-1\n+2');
});

test('[PD2] a file without text, or far too large, is listed by name and size', async () => {
  const { folder, diffs } = await bench({ 'a.bin': new Uint8Array(10), 'small.txt': 'x\n' });
  const large = Buffer.alloc(50 * 1024 * 1024, 'a line of text\n');
  writeFiles(folder, { 'a.bin': new Uint8Array(20), 'huge.txt': large, 'small.txt': 'y\n' });
  expect(await diffs()).toMatchObject([
    { path: 'a.bin', isBinary: true, bytes: 20, text: '', hunks: [] },
    { path: 'huge.txt', how: 'added', isBinary: true, bytes: large.length, text: '', hunks: [] },
    { path: 'small.txt', isBinary: false, added: 1, removed: 1 },
  ]);
});

test('[PD2] hunks tell exactly what became of any text', async () => {
  const { folder, diffs, store } = await bench({});
  const text = fc.array(fc.constantFrom('a', 'b', '-c', '+d', '', ' e'), { maxLength: 12 });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(text, text, async (old, made) => {
      round += 1;
      const add = async (all: readonly string[]): Promise<string> => await store.addBlob(Buffer.from(joined(all)));
      const tree = async (all: readonly string[]) =>
        await store.write(new Map([['f', { kind: 'file', mode: 0o644, blob: await add(all) }]]));
      const [diff] = await fileDiffs(store, { before: await tree(old), after: await tree(made) });
      expect(rebuilt(old, made, diff?.hunks ?? [])).toEqual([...made]);
    }),
    { numRuns: 40 },
  );
  expect(round).toBe(40);
  expect(await diffs()).toEqual([]);
  expect(folder).not.toBe('');
});

const joined = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

type Ranges = { readonly before: readonly [number, number]; readonly after: readonly [number, number] };

function rebuilt(old: readonly string[], made: readonly string[], hunks: readonly Ranges[]): readonly string[] {
  const out: string[] = [];
  let at = 0;
  for (const { before, after } of hunks) {
    out.push(...old.slice(at, before[0] - 1), ...made.slice(after[0] - 1, after[0] - 1 + after[1]));
    at = before[0] - 1 + before[1];
  }
  return [...out, ...old.slice(at)];
}
