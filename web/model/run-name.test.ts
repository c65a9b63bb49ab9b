import { expect, test } from 'vitest';
import { runName } from './run-history.ts';
import { recordedTree } from './testing/recorded-tree.ts';

const tree = recordedTree('quest');

test('[U2] a run below is called by what it does the work of, and never by the number of its task', () => {
  const names = [...tree.runs.keys()].map((run) => runName(tree, run));
  expect(names[0]).toBe('');
  expect(names.length).toBeGreaterThan(4);
  for (const name of names.slice(1)) expect(name).toMatch(/^[a-z]/);
  expect(names.filter((name) => /(?:^|› )t\d+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('[U2] a run that is not known yet keeps what its id says', () => {
  expect(runName(tree, `${tree.root}/t99`)).toBe('t99');
});
