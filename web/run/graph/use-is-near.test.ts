import { describe, expect, test } from 'vitest';
import { isNear } from './use-is-near.ts';

const box = (x: number, y: number) => ({ x, y, width: 100, height: 50 });
const sight = (x: number, y: number, zoom = 1) => ({
  transform: [x, y, zoom] as [number, number, number],
  width: 600,
  height: 400,
});

describe('[U2] large graphs', () => {
  test('nodes in sight and a screen around it are drawn in full, and no others', () => {
    expect(isNear(box(10, 10), sight(0, 0))).toBe(true);
    expect(isNear(box(-600, 700), sight(0, 0))).toBe(true);
    expect(isNear(box(10, 900), sight(0, 0))).toBe(false);
    expect(isNear(box(-800, 10), sight(0, 0))).toBe(false);
    expect(isNear(box(10, 900), sight(0, -800))).toBe(true);
  });

  test('seen from afar more of them are near', () => {
    expect(isNear(box(10, 4000), sight(0, 0, 0.1))).toBe(true);
    expect(isNear(box(10, 4000), sight(0, 0, 1))).toBe(false);
  });

  test('nothing is near a pane that has no size yet', () => {
    expect(isNear(box(0, 0), { transform: [0, 0, 1], width: 0, height: 0 })).toBe(false);
  });
});
