import { expect, test } from 'vitest';
import { runId } from '../model/ids.ts';
import { foldRecords } from './fold.ts';
import { bodyHash, taskId } from '../model/ids.ts';
import type { Fact, JournalRecord } from '../record/fact.ts';
import type { JsonObject } from '../model/json.ts';
import { definitionOf, end, route, to } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import { dataAfter } from './data-after.ts';

test('[L2] the data of each kind of fact that changes them is that of the fold', () => {
  const begun = new TestedRun(definitionOf([route('start', [to('stop')]), end()], { data: { a: 1, list: [1] } }))
    .records;
  const later: readonly Fact[] = [
    { kind: 'run.forked', from: { run: runId('r'), seq: 1 }, input: { a: 2 }, by: 'ada' },
    { kind: 'run.redefined', definition: bodyHash('new'), by: 'ada', data: { a: 9, book: { pages: [1] } } },
    { kind: 'data.set', patch: { inside: { book: { inside: { pages: { add: [2] } } }, list: { add: [3] } } } },
    { kind: 'task.ended', task: taskId('t9'), outcome: 'ok', output: null, failure: null },
  ];
  const records: readonly JournalRecord[] = [
    ...begun,
    ...later.map((fact, index) => ({ seq: begun.length + index + 1, at: 2000, fact })),
  ];
  const followed = records.reduce<JsonObject>((data, { fact }) => dataAfter(data, fact), {});
  expect(followed).toEqual({ a: 2, list: [1, 3], book: { pages: [1, 2] } });
  expect(followed).toEqual(foldRecords(records)?.data);
});
