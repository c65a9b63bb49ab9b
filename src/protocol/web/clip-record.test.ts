import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { taskId } from '../../core/model/ids.ts';
import type { StoredRecord } from '../../core/record/stored-record.ts';
import { clipRecord } from './clip-record.ts';

const record = (fact: Fact): StoredRecord => ({ seq: 7, at: 1, fact, commit: 3 });
const tool = (content: string): Fact => ({
  kind: 'tool.finished',
  task: taskId('t1'),
  toolCall: 'c1',
  content,
  isError: false,
  ms: 1,
});

test('[U2] [WL2] a record with texts of ordinary length is sent as it is, the very same object', () => {
  const one = record(tool('x'.repeat(20_000)));
  const line = clipRecord('r', one);
  expect(line.record).toBe(one);
  expect(line).toEqual({ run: 'r', record: one });
});

test('[U2] [WL2] of a longer text the first 4,000 characters are sent, with its path and its length', () => {
  const text = 'abc'.repeat(10_000);
  const line = clipRecord('r', record(tool(text)));
  expect(line.cut).toEqual([{ path: ['content'], length: 30_000 }]);
  expect(line.record.fact).toEqual(tool(text.slice(0, 4000)));
});

test('[U2] [WL2] texts deep in lists and objects are cut in place, and every cut is listed', () => {
  const long = 'y'.repeat(20_001);
  const fact: Fact = {
    kind: 'data.set',
    patch: { set: { notes: ['short', long, { deep: long }], ['__proto__x']: null } },
  };
  const line = clipRecord('r', record(fact));
  expect(line.cut).toEqual([
    { path: ['patch', 'set', 'notes', 1], length: 20_001 },
    { path: ['patch', 'set', 'notes', 2, 'deep'], length: 20_001 },
  ]);
  expect(JSON.stringify(line).length).toBeLessThan(9000);
  expect(JSON.stringify(fact).length).toBeGreaterThan(40_000);
});

test('[U2] [WL2] no character is cut in two', () => {
  const line = clipRecord('r', record(tool(`${'x'.repeat(3999)}${'👩'.repeat(20_000)}`)));
  expect(line.record.fact).toEqual(tool('x'.repeat(3999)));
});
