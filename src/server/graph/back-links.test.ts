import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backArcs, type Arc } from './back-links.ts';

const graphs = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const node = fc.integer({ min: 0, max: count - 1 });
  return fc.tuple(fc.constant(count), fc.array(fc.record({ from: node, to: node }), { maxLength: 30 }));
});

function hasCircle(count: number, arcs: readonly Arc[]): boolean {
  let left = [...Array(count).keys()];
  for (;;) {
    const free = left.filter((node) => !arcs.some(({ from, to }) => to === node && left.includes(from)));
    if (free.length === 0) return left.length > 0;
    left = left.filter((node) => !free.includes(node));
  }
}

test('[U9] without the edges that lead back there is no circle, and where there was none nothing leads back', () => {
  fc.assert(
    fc.property(graphs, ([count, arcs]) => {
      const back = backArcs(count, arcs);
      const forward = arcs.filter((_, index) => back[index] !== true);
      expect(hasCircle(count, forward)).toBe(false);
      expect(back.includes(true)).toBe(hasCircle(count, arcs));
    }),
  );
});

test('[U9] a state written before the one that leads to it is no way back', () => {
  expect(
    backArcs(3, [
      { from: 0, to: 2 },
      { from: 2, to: 1 },
    ]),
  ).toEqual([false, false]);
  expect(
    backArcs(3, [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: 0 },
      { from: 1, to: 1 },
    ]),
  ).toEqual([false, false, true, true]);
});

test('[U9] a chain of a hundred thousand is no matter', () => {
  const arcs = Array.from({ length: 100_000 }, (_, index) => ({ from: index, to: index + 1 }));
  expect(backArcs(100_001, arcs).some(Boolean)).toBe(false);
});
