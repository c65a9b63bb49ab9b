import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SkippedFiles } from '../../core/record/files-fact.ts';
import { treeId } from '../../core/model/ids.ts';
import type { TreeEntry } from '../../workspace/store/port.ts';
import { leftOutPaths } from './run-diff.ts';

const FILE: TreeEntry = { kind: 'file', mode: 0o644, blob: 'b' };

function leftOut(skipped?: SkippedFiles) {
  const project = mkdtempSync(join(tmpdir(), 'left-out-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  for (const name of ['big.bin', 'known.txt', 'more.bin']) writeFileSync(join(project, name), '');
  const began = { tree: treeId('t'), source: 'git' as const, ...(skipped === undefined ? {} : { skipped }) };
  return leftOutPaths({ began, project }, { entries: () => Promise.resolve(new Map([['known.txt', FILE]])) });
}

const PATHS = ['big.bin', 'known.txt', 'more.bin', 'gone.txt'];

test('[L3] what the journal names as left out is left out, and nothing else', async () => {
  expect(PATHS.filter(await leftOut())).toEqual([]);
  const one = { count: 1, some: [{ path: 'big.bin', why: 'too-large' as const }] };
  expect(PATHS.filter(await leftOut(one))).toEqual(['big.bin']);
});

test('[L3] where more was left out than the journal names, what the project has and the run did not begin with counts', async () => {
  const many = { count: 200, some: [{ path: 'big.bin', why: 'too-large' as const }] };
  expect(PATHS.filter(await leftOut(many))).toEqual(['big.bin', 'more.bin']);
});
