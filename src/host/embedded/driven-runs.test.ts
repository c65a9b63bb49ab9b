import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { DrivenRuns } from './driven-runs.ts';
import type { Driver } from './driver.ts';

const driver = {} as Driver;

test('a tree is driven here as long as one of its runs is', () => {
  const runs = new DrivenRuns();
  const [root, child, other] = [runId('a'), runId('a/t1'), runId('b')];
  runs.set(root, driver).set(child, driver).set(child, driver).set(other, driver);
  runs.delete(root);
  runs.delete(root);
  expect(runs.hasTree(root)).toBe(true);
  runs.delete(child);
  expect([runs.hasTree(root), runs.hasTree(other)]).toEqual([false, true]);
  runs.clear();
  expect(runs.hasTree(other)).toBe(false);
});
