import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runView } from '../../src/protocol/run-view.ts';

/**
 * Journals of every release, one record a line. What they fold to may never change: a run that somebody has on disk must be
 * readable for ever. A new release adds files here and never edits one.
 */
const FOLDER = join(import.meta.dirname, 'journals');
const journals = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

function recordsOf(name: string): readonly JournalRecord[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalRecord);
}

describe('[L2] journals of every release', () => {
  test('there are some', () => {
    expect(journals.length).toBeGreaterThanOrEqual(2);
  });

  test.each(journals)('%s folds to what it always did', (name) => {
    const view = JSON.parse(JSON.stringify(runView(foldRecords(recordsOf(name))))) as unknown;
    const expected = join(FOLDER, name.replace('.jsonl', '.view.json'));
    expect(view).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });

  test.each(journals)('%s is the same run inside, whatever else a run has by now', (name) => {
    const expected = join(FOLDER, name.replace('.jsonl', '.snapshot.json'));
    if (!existsSync(expected)) return;
    const snapshot = JSON.parse(JSON.stringify(foldRecords(recordsOf(name)))) as unknown;
    expect(snapshot).toMatchObject(JSON.parse(readFileSync(expected, 'utf8')) as object);
  });

  test('[FI1] every kind of fact about files, compactions, and a run from outside its workflow is in one of them', () => {
    const kinds = new Set(journals.flatMap((name) => recordsOf(name).map(({ fact }) => fact.kind)));
    expect([...kinds]).toEqual(expect.arrayContaining(FILE_FACTS));
  });
});

const FILE_FACTS = [
  'changes.declined',
  'compaction.started',
  'delivery.failed',
  'delivery.finished',
  'delivery.started',
  'files.changed',
  'permission.asked',
  'permission.settled',
  'project.changed',
  'resource.leased',
  'result.discarded',
  'results.cleared',
  'reply.accepted',
  'rollback.started',
  'run.archived',
  'run.continued',
  'run.forked',
  'run.paused',
  'run.redefined',
  'run.rewound',
  'terms.changed',
  'turn.compacted',
  'workspace.gone',
  'workspace.made',
];
