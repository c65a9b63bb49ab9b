import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { METHODS } from '../../src/workspace/testing/test-workspaces.ts';
import { annAndBob, BOTH_EDIT, FilesBench, uses } from './bench.ts';

const FILES = { 'notes.txt': 'one\ntwo\nthree\n', 'other.txt': 'same\n' };

/** Both change the same line; asked again, the second one settles the conflict. */
function edits(request: CallRequest) {
  const { agent, call, state } = request;
  if (state === 'settle' && call === 1) {
    return uses('write_file', { path: 'notes.txt', content: 'one\nTWO by ann and bob\nthree\n' });
  }
  if (call > 1) return says('done');
  return uses('edit_file', { path: 'notes.txt', old: 'two', new: `TWO by ${agent}` });
}

const definition = annAndBob([
  work('start', BOTH_EDIT, [to('first')]),
  work('first', { kind: 'merge', agent: 'ann' }, [to('second')]),
  work('second', { kind: 'merge', agent: 'bob' }, [to('stop')], {
    on: { blocked: [to('settle', { assign: 'this.common_data.conflicts = result.conflicts' })] },
  }),
  work('settle', turn('bob', "'settle ' + common_data.conflicts[0].path"), [to('second')]),
  end('stop'),
]);

test.each(METHODS)(
  '[PD1] [Q9] two agents edit one file in parallel, the second merge reports the conflict, and its author settles it (%s)',
  async (method) => {
    const bench = new FilesBench({ files: FILES, answer: edits, settings: { method } });
    const { host, world } = bench.host();
    const run = await host.start({ definition, input: {}, project: bench.project });
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });

    const facts = await bench.facts(run);
    const blocked = facts.find((fact) => fact.kind === 'task.ended' && fact.outcome === 'blocked');
    expect(blocked).toMatchObject({
      failure: { code: 'MERGE_CONFLICT' },
      output: {
        conflicts: [
          {
            path: 'notes.txt',
            kind: 'content',
            base: { text: FILES['notes.txt'] },
            ours: { text: 'one\nTWO by ann\nthree\n' },
            theirs: { text: 'one\nTWO by bob\nthree\n' },
          },
        ],
      },
    });
    const main = world.workspaces.folderOf(run, 'main');
    expect(readFileSync(join(main, 'notes.txt'), 'utf8')).toBe('one\nTWO by ann and bob\nthree\n');
    // The user's own file is what it was.
    expect(readFileSync(join(bench.project, 'notes.txt'), 'utf8')).toBe(FILES['notes.txt']);
  },
);

test('[L2] every record of a run has its exact files', async () => {
  const bench = new FilesBench({ files: FILES, answer: edits });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  await host.rest(run);
  const records = await bench.journal.read(run);
  const store = await world.workspaces.store(bench.project);
  const seen = await Promise.all(
    records.map(async (_record, index) => {
      const { workspaces, files } = foldRecords(records.slice(0, index + 1));
      const tree = workspaces['main']?.tree ?? files?.tree;
      if (tree === undefined) return null;
      const entry = (await store.entries(tree)).get('notes.txt');
      return entry?.kind === 'file' ? (await store.read(entry.blob)).toString() : null;
    }),
  );
  const steps = seen.filter((text, index) => text !== seen[index - 1]);
  expect(steps).toEqual([FILES['notes.txt'], 'one\nTWO by ann\nthree\n', 'one\nTWO by ann and bob\nthree\n']);
});

test.each([2, 6])('[Q1] %i units in separate workspaces: the journal of their pool is read as often', async (count) => {
  const child = build({ name: 'step', states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
  const units = {
    kind: 'items',
    items: expression('common_data.list'),
    work: { kind: 'call', workflow: 'step', input: {}, workspace: 'own' },
  } as const;
  const steps = build({
    data: { list: Array.from({ length: count }, (_, at) => `u${at}`) },
    library: { step: child.workflow },
    states: [
      work('start', { kind: 'pool', units, slots: 1, join: { rule: 'all' }, grow: null }, [to('stop')]),
      end('stop'),
    ],
  });
  const journal = createMemoryJournal();
  const read = journal.read.bind(journal);
  const asked: string[] = [];
  journal.read = (run, ...more) => {
    asked.push(run);
    return read(run, ...more);
  };
  const answer = ({ call }: CallRequest) =>
    call === 1 ? uses('write_file', { path: 'new.txt', content: '' }) : says('done');
  const bench = new FilesBench({ files: FILES, answer, journal });
  const { host } = bench.host();
  const run = await host.start({ definition: steps, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked.filter((one) => one === run).length).toBeLessThanOrEqual(2);
});
