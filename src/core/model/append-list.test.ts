import { expect, test } from 'vitest';
import { append, emptyList, listOf, toArray } from './append-list.ts';

test('[L2] an older owner keeps seeing its own length after a newer one appended', () => {
  const older = listOf(['a']);
  const newer = append(older, 'b');
  expect(toArray(older)).toEqual(['a']);
  expect(toArray(newer)).toEqual(['a', 'b']);
});

test('[L2] two owners that append to the same list never see each other’s items', () => {
  const shared = append(emptyList<string>(), 'a');
  const left = append(shared, 'left');
  const right = append(shared, 'right');
  expect(toArray(left)).toEqual(['a', 'left']);
  expect(toArray(right)).toEqual(['a', 'right']);
  expect(toArray(append(left, 'more'))).toEqual(['a', 'left', 'more']);
  expect(toArray(right)).toEqual(['a', 'right']);
});

test('[L2] a list made from an array does not grow with the array, nor the array with the list', () => {
  const given = ['a'];
  const list = append(listOf(given), 'b');
  given.push('x');
  expect(toArray(list)).toEqual(['a', 'b']);
  expect(given).toEqual(['a', 'x']);
});

test('[L2] the newest owner appends in place, so a long conversation is not copied for every message', () => {
  const first = append(emptyList<number>(), 1);
  const second = append(first, 2);
  expect(second.items).toBe(first.items);
  expect(append(first, 3).items).not.toBe(first.items);
});

test('[L2] an empty list has no last item', () => {
  expect(toArray(emptyList())).toEqual([]);
});
