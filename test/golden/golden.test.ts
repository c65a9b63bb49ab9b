import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/core/fact.ts';
import { foldRecords } from '../../src/core/fold.ts';
import { runView } from '../../src/protocol/run-view.ts';

/**
 * Journals of every release, one record a line. What they fold to may never change: a run that somebody has on disk must be
 * readable for ever. A new release adds files here and never edits one.
 */
const FOLDER = join(import.meta.dirname, 'journals');
const journals = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

describe('[L2] journals of every release', () => {
  test('there are some', () => {
    expect(journals.length).toBeGreaterThanOrEqual(2);
  });

  test.each(journals)('%s folds to what it always did', (name) => {
    const lines = readFileSync(join(FOLDER, name), 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(line) as JournalRecord);
    const view = JSON.parse(JSON.stringify(runView(foldRecords(records)))) as unknown;
    const expected = join(FOLDER, name.replace('.jsonl', '.view.json'));
    expect(view).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });
});
