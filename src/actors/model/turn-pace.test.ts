import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnPace } from './turn-pace.ts';

test('[L8] of what begins at once only so much goes on in one turn of the event loop, in order', async () => {
  const pace = new TurnPace(8);
  const through: number[] = [];
  const one = async (index: number): Promise<void> => {
    await pace.enter();
    through.push(index);
  };
  const all = Promise.all(Array.from({ length: 30 }, (_, index) => one(index)));
  const seen: number[] = [];
  while (through.length < 30) {
    await nextTurn();
    seen.push(through.length);
  }
  await all;
  const grown = seen.map((count, at) => count - (seen[at - 1] ?? 0));
  expect(Math.max(...grown.slice(1))).toBe(8);
  expect(through).toEqual(through.toSorted((a, b) => a - b));
});

test('[L8] what begins alone waits for nothing', async () => {
  const pace = new TurnPace(1);
  expect(pace.enter()).toBeUndefined();
  await nextTurn();
  expect(pace.enter()).toBeUndefined();
});
