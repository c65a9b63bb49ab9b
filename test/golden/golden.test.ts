import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { CHANGES } from '../../src/core/fold/apply.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { runView } from '../../src/protocol/run-view.ts';
import { FAMILY_GOLDEN } from './recording.ts';

/**
 * Journals of every release, one record a line. What they fold to may never change: a run that somebody has on disk must be
 * readable for ever. A new release adds files here and never edits one.
 */
const FOLDER = join(import.meta.dirname, 'journals');
const journals = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

const runOf = (records: readonly JournalRecord[]): RunId => foldRecords(records).run;

function recordsOf(name: string): readonly JournalRecord[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalRecord);
}

describe('[L2] journals of every release', () => {
  test('there are some', () => {
    expect(journals.length).toBeGreaterThanOrEqual(20);
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

  test.each(Object.keys(FAMILY_GOLDEN))('the views of a %s read the state that its rules kept', (family) => {
    const own = new RegExp(`-${family}(?:-.*)?\\.jsonl$`);
    const kept = journals.filter((name) => own.test(name)).map((name) => recordsOf(name) as readonly StoredRecord[]);
    const placed = kept.map((records) => [runOf(records), records] as const);
    const shown = FAMILY_GOLDEN[family]?.(placed.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const expected = readFileSync(join(FOLDER, `0.1.0-${family}.shown.json`), 'utf8');
    expect(JSON.parse(JSON.stringify(shown))).toMatchObject(JSON.parse(expected) as object);
  });

  test('[R5] the rules of every family decided in one of them', () => {
    const facts = journals.flatMap((name) => recordsOf(name)).map(({ fact }) => fact);
    const programs = facts.flatMap((fact) =>
      fact.kind === 'task.started' && fact.work.kind === 'compute' ? [fact.work.program] : [],
    );
    const families = ['phases.decide', 'quest.decide', 'quest.decide_step', 'review.take', 'review.next', 'stages:research'];
    expect(programs).toEqual(expect.arrayContaining(families));
  });

  test('[L2] every kind of fact is in one of them, so that a new kind comes with a journal', () => {
    const kinds = new Set<string>(journals.flatMap((name) => recordsOf(name).map(({ fact }) => fact.kind)));
    expect(Object.keys(CHANGES).filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(kinds.size).toBe(Object.keys(CHANGES).length + 1);
  });
});
