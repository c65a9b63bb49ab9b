import { expect, test } from 'vitest';
import { matching, type PaletteItem } from './palette-items.ts';

const item = (group: PaletteItem['group'], label: string, detail = ''): PaletteItem => ({
  id: label,
  group,
  label,
  detail,
  run: () => undefined,
});

const items = [
  item('Go to', 'Board'),
  item('Go to', 'Inbox'),
  item('Do', 'Start a run'),
  item('Runs', 'Fix the board', 'quest running'),
  item('Workflows', 'quest', 'Plans and does a large task'),
];

test('[U2] without words everything is there', () => {
  expect(matching(items, '  ')).toHaveLength(5);
  expect(matching(items, '', 2)).toHaveLength(2);
});

test('[U2] all words must fit, in the label or in the text next to it', () => {
  expect(matching(items, 'quest run').map(({ label }) => label)).toEqual(['Fix the board']);
  expect(matching(items, 'nothing')).toEqual([]);
});

test('[U2] what begins with the word comes first', () => {
  expect(matching(items, 'board').map(({ label }) => label)).toEqual(['Board', 'Fix the board']);
  expect(matching(items, 'QUEST').map(({ label }) => label)).toEqual(['quest', 'Fix the board']);
});
