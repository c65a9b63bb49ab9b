import { describe, expect, test } from 'vitest';
import { recordedLines, recordedTree } from '../../model/testing/recorded-tree.ts';
import { eventKinds, eventRows, factLine } from './event-rows.ts';

const quest = recordedTree('quest');
const ANY = { kind: '', run: '', text: '' };

describe('[U2] the records of a tree', () => {
  test('all of them are there, those of child runs too, in the order of time', () => {
    const rows = eventRows(quest, ANY);
    expect(rows).toHaveLength(recordedLines('quest').length);
    expect(rows.every(({ record }, place) => place === 0 || record.at >= (rows[place - 1]?.record.at ?? 0))).toBe(true);
  });

  test('they are found by kind, by family, by run and by any text', () => {
    expect(
      eventRows(quest, { ...ANY, kind: 'task.started' }).every(({ record }) => record.fact.kind === 'task.started'),
    ).toBe(true);
    const family = new Set(eventRows(quest, { ...ANY, kind: 'task.' }).map(({ record }) => record.fact.kind));
    expect(family).toEqual(new Set(['task.started', 'task.ended']));
    expect(eventRows(quest, { ...ANY, run: quest.root }).every(({ run }) => run === quest.root)).toBe(true);
    const found = eventRows(quest, { ...ANY, text: 'RUN.SETTLED' });
    expect(found.length).toBe(quest.runs.size);
    expect(eventRows(quest, { ...ANY, text: 'nobody ever said this' })).toEqual([]);
  });

  test('kinds are counted, with their families', () => {
    const kinds = eventKinds(quest);
    const family = kinds.find(({ value }) => value === 'task.');
    expect(family?.label).toMatch(/^task\.\* \(\d+\)$/);
    expect(kinds.some(({ value }) => value === 'run.started')).toBe(true);
  });

  test('every record has a line, and none is long', () => {
    for (const { record } of recordedLines('review')) expect(factLine(record.fact).length).toBeLessThanOrEqual(160);
  });
});
