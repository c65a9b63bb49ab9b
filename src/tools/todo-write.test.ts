import { expect, test } from 'vitest';
import { call } from './testing/test-folder.ts';
import { todoWriteTool } from './engine-tools.ts';

const folder = '/nowhere';

test('[SM7] todo_write replaces the list and answers with it', async () => {
  const items = [
    { text: 'read\nthe code', status: 'done' },
    { id: 'b', text: 'fix it', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ];
  expect(await call(todoWriteTool, { items }, { folder })).toEqual({
    content: '[x] 1. read the code\n[>] b. fix it\n[ ] 3. test\n1 of 3 done.',
    isError: false,
  });
  expect((await call(todoWriteTool, { items: [] }, { folder })).content).toBe('The list is empty.');
});

test('[L2] the same call gives the same list, whatever came before', async () => {
  const items = [{ text: 'one', status: 'pending' }];
  const first = await call(todoWriteTool, { items }, { folder });
  await call(todoWriteTool, { items: [{ text: 'other', status: 'done' }] }, { folder });
  expect(await call(todoWriteTool, { items }, { folder })).toEqual(first);
});

test.each([
  ['a status that is none', [{ text: 'a', status: 'started' }]],
  ['no text', [{ status: 'done' }]],
  ['the same id twice', [1, 2].map(() => ({ id: 'x', text: 'a', status: 'done' }))],
  [
    'an id that is also a number in the list',
    [
      { id: '2', text: 'a', status: 'done' },
      { text: 'b', status: 'done' },
    ],
  ],
  ['too many', Array.from({ length: 101 }, () => ({ text: 'a', status: 'done' }))],
])('[L3] %s is refused with a reason', async (_what, items) => {
  expect(await call(todoWriteTool, { items }, { folder })).toMatchObject({ isError: true });
});
