import { expect, test } from 'vitest';
import { openIn, openText, parseSelection, withChange } from './selection.ts';

test('[U2] an address is read as far as it makes sense, whatever type its words look like', () => {
  const search = {
    tab: 'events',
    kind: 'task.',
    only: 'a/t1',
    text: 7,
    open: true,
    seq: '12',
    visit: -1,
    state: {},
    x: 1,
  };
  expect(parseSelection(search)).toEqual({
    tab: 'events',
    kind: 'task.',
    only: 'a/t1',
    text: '7',
    open: 'true',
    seq: 12,
  });
  expect(parseSelection({ tab: 'nothing' })).toEqual({});
});

test('[U2] a link to a record clears the filter of records, and no other link does', () => {
  const before = { tab: 'events', kind: 'task.', text: 'x', open: 'a' };
  expect(withChange(before, { tab: 'events', seq: 3 })).toEqual({ tab: 'events', seq: 3, open: 'a' });
  expect(withChange(before, { seq: 3 })).toEqual({ ...before, seq: 3 });
  expect(withChange(before, { tab: 'agents' })).toEqual({ ...before, tab: 'agents' });
  expect(withChange(before, { text: undefined })).toEqual({ tab: 'events', kind: 'task.', open: 'a' });
});

test('[U2] nothing unfolded has another address than no choice', () => {
  expect(openIn(undefined)).toBeNull();
  for (const open of [[], ['a'], ['a', 'a/t1/b']]) expect(openIn(openText(open))).toEqual(open);
});
