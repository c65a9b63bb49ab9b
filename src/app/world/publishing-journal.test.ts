import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { type RunId, runId, type TreeId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Batch } from '../../journal/port.ts';
import { publishingJournal } from './publishing-journal.ts';

const made = (tree: string): Batch => ({
  records: [{ seq: 1, at: 1, fact: { kind: 'workspace.made', workspace: 'main', tree: tree as TreeId, version: 1 } }],
  summary: { status: 'running', outcome: null },
  consumed: [],
});

const header = (run: RunId) => ({ run, parent: null, workflow: 'w', project: '/p', title: '', at: 1 });

test('[U8] files are sent before a record names them, and a store that is away is waited for', async () => {
  const said: string[] = [];
  const away = [new Fault('STORE_UNREACHABLE', 'It is away.'), new Fault('DISK_FULL', 'It is full.')];
  const sent: string[] = [];
  const journal = createMemoryJournal();
  const publishing = publishingJournal(journal, {
    publish: async (tree) => {
      const fault = away.shift();
      if (fault !== undefined) throw fault;
      expect(await journal.run(runId('a'))).toBeUndefined();
      sent.push(tree);
    },
    tell: (sentence) => said.push(sentence),
  });
  await publishing.create(header(runId('a')), 'me', made('t1'));
  expect(sent).toEqual(['t1']);
  expect(await journal.read(runId('a'))).toHaveLength(1);
  expect(said).toEqual([
    'Waiting until the shared store takes files: It is away.',
    'The shared store takes files again.',
  ]);
});

test('[U8] a tree that cannot be sent at all is named by no record', async () => {
  const journal = createMemoryJournal();
  const refused = new Fault('TREE_GONE', 'There is no such tree.');
  const publishing = publishingJournal(journal, { publish: () => Promise.reject(refused), tell: () => undefined });
  await expect(publishing.create(header(runId('a')), 'me', made('t1'))).rejects.toBe(refused);
  expect(await journal.run(runId('a'))).toBeUndefined();
});
