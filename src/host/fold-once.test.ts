import { expect, test } from 'vitest';
import { definitionOf, command, end, to, work } from '../core/testing/definitions.ts';
import { plainSnapshot } from '../core/testing/plain-snapshot.ts';
import { TestedRun } from '../core/testing/tested-run.ts';
import { foldRecords } from '../core/fold/fold.ts';
import { foldOnce } from './fold-once.ts';

function records() {
  const run = new TestedRun(definitionOf([work('start', command(), { transitions: [to('stop')] }), end()]));
  run.done('t1');
  return run.records;
}

test('[L2] the same records are folded once, also from another list of them', () => {
  const read = records();
  const first = foldOnce(read);
  expect(plainSnapshot(first)).toEqual(plainSnapshot(foldRecords(read)));
  expect(foldOnce(read)).toBe(first);
  expect(foldOnce(read.map((record) => ({ ...record, run: 'of-a-tree' })))).toBe(first);
});

test('[L2] a list that differs anywhere is folded by itself', () => {
  const read = records();
  const first = foldOnce(read);
  const shorter = read.slice(0, -1);
  expect(foldOnce(shorter).seq).toBe(first.seq - 1);
  const later = read.map((record) => (record.seq === 2 ? { ...record, at: record.at + 1 } : record));
  expect(foldOnce(later)).not.toBe(first);
  const swapped = [read[0], read[2], read[1], ...read.slice(3)].filter((record) => record !== undefined);
  expect(() => foldOnce(swapped)).toThrow('should have record');
  expect(() => foldOnce([])).toThrow('has no records');
});
