import { expect, onTestFinished, test } from 'vitest';
import { LineSearch } from './grep.ts';

const signal = new AbortController().signal;

function searchFor(expression: RegExp, timeoutMs: number): LineSearch {
  const search = new LineSearch(expression, { timeoutMs, signal });
  onTestFinished(() => search.close());
  return search;
}

test('[SM7] lines are found with the text and the line they stand in', async () => {
  const search = searchFor(/b+/u, 10_000);
  expect(await search.find(['a\nb', 'c', 'bb\r\na'])).toEqual([
    { at: 0, line: 2, text: 'b' },
    { at: 2, line: 1, text: 'bb' },
  ]);
  expect(await search.find([])).toEqual([]);
});

test('[L8] an expression made to run for ever is stopped, and the process goes on meanwhile', async () => {
  const search = searchFor(/^(a+)+$/u, 700);
  let ticks = 0;
  const clock = setInterval(() => {
    ticks += 1;
  }, 20);
  onTestFinished(() => clearInterval(clock));
  await expect(search.find([`${'a'.repeat(50)}!`])).rejects.toThrow('The search was stopped after 0.7 s.');
  expect(ticks).toBeGreaterThan(5);
  await expect(search.find(['a'])).rejects.toThrow('stopped');
});
