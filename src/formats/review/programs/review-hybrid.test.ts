import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/model/json.ts';
import { askPrograms, type BenchStep, written } from '../../../host/perform/outputs/testing/program-bench.ts';
import { OWN, placeOf, ROLES } from './testing/review-bench.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);
const FILES = { 'a.ts': LINES.join(''), 'b.ts': 'b\n', 'dir/c.ts': 'c\n' };

const changed = (change: Readonly<Record<number, string>>): string =>
  LINES.map((line, at) => (change[at + 1] === undefined ? line : `${change[at + 1]}\n`)).join('');

const WORK: readonly BenchStep[] = [
  { by: 'impl_1', writes: { 'a.ts': changed({ 3: 'one 3', 20: 'one 20' }), 'new/x.ts': 'x\n', 'b.ts': 'B1\n' } },
  { by: 'impl_2', writes: { 'a.ts': changed({ 3: 'two 3', 28: 'two 28' }), 'dir/c.ts': 'C2\n', 'b.ts': 'B2\n' } },
];

async function mixes(parts: readonly JsonObject[]) {
  const { answers, folder, facts } = await askPrograms(
    [...WORK, { ask: 'review.hybrid', input: written({ parts, agent: 'hybrid', command: '', protect: [] }) }],
    { files: FILES, workspaces: OWN, roles: ROLES },
  );
  const read = (path: string): string => readFileSync(join(placeOf(folder, 'hybrid'), path), 'utf8');
  return { answer: answers.at(-1), read, facts };
}

test('[PD7] files and folders of several implementations are put together on what they began with', async () => {
  const { answer, read, facts } = await mixes([
    { implementation: 'impl_1', paths: ['a.ts', 'new'] },
    { implementation: 'impl_2', paths: ['impl_2/dir/**'] },
  ]);
  expect(answer).toMatchObject({ outcome: 'ok', output: { conflicts: [] } });
  expect(read('a.ts')).toBe(changed({ 3: 'one 3', 20: 'one 20' }));
  expect([read('new/x.ts'), read('dir/c.ts'), read('b.ts')]).toEqual(['x\n', 'C2\n', 'b\n']);
  // A merge still uses its original base.
  const made = facts.find((fact) => fact.kind === 'workspace.made' && fact.workspace === 'hybrid');
  const held = facts.findLast((fact) => fact.kind === 'files.changed' && fact.workspace === 'hybrid');
  expect(held).toMatchObject({ base: made?.kind === 'workspace.made' ? made.tree : null });
});

test('[PD7] lines of one and lines of the other are put together in one file', async () => {
  const { read } = await mixes([
    { implementation: 'impl_1', paths: ['a.ts:3'] },
    { implementation: 'impl_2', paths: ['a.ts:25-30'] },
  ]);
  expect(read('a.ts')).toBe(changed({ 3: 'one 3', 28: 'two 28' }));
});

test.for([
  [
    'the same lines of two',
    [
      { implementation: 'impl_1', paths: ['a.ts:3'] },
      { implementation: 'impl_2', paths: ['a.ts'] },
    ],
    'HYBRID_CONFLICT',
    'a.ts',
  ],
  ['something unchanged', [{ implementation: 'impl_1', paths: ['dir/c.ts'] }], 'HYBRID_UNMATCHED', 'dir/c.ts'],
  ['lines that were not changed', [{ implementation: 'impl_1', paths: ['a.ts:8-9'] }], 'HYBRID_UNMATCHED', 'a.ts:8-9'],
  ['nothing', [], 'HYBRID_UNMATCHED', 'nobody'],
] as const)('[PD7] %s cannot be put together: nothing is made, and it is said why', async ([, parts, code, words]) => {
  const { answer, facts } = await mixes(parts);
  expect(answer).toMatchObject({ outcome: 'failed', failure: { code, message: expect.stringContaining(words) } });
  expect(facts.filter((fact) => fact.kind === 'files.changed' && fact.workspace === 'hybrid')).toEqual([]);
});

test('[L4] what the command is made of cannot come in with a part', async () => {
  const files = {
    'src/a.js': 'a\n',
    'test/a.test.js': 'test\n',
    'package.json': '{"scripts":{"test":"node --test"}}\n',
  };
  const work: readonly BenchStep[] = [
    { by: 'impl_1', writes: { 'src/a.js': 'A\n' } },
    {
      by: 'impl_2',
      writes: { 'test/a.test.js': '\n', 'package.json': '{"scripts":{"test":"true"}}\n', 'b.md': 'b\n' },
    },
  ];
  const mix = async (paths: readonly string[]) => {
    const parts = [
      { implementation: 'impl_1', paths: ['src'] },
      { implementation: 'impl_2', paths: [...paths] },
    ];
    const input = written({ parts, agent: 'hybrid', command: 'npm test', protect: [] });
    const steps = [...work, { ask: 'review.hybrid', input }];
    return (await askPrograms(steps, { files, workspaces: OWN, roles: ROLES })).answers.at(-1);
  };
  for (const path of ['test/a.test.js', 'package.json']) {
    const failure = { code: 'HYBRID_TAMPERED', message: expect.stringContaining(path) };
    expect(await mix([path, 'b.md'])).toMatchObject({ outcome: 'failed', failure });
  }
  expect(await mix(['b.md'])).toMatchObject({ outcome: 'ok' });
});
