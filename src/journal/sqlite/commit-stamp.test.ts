import { expect, test } from 'vitest';

import { commitStamp, stampedCommit } from './commit-stamp.ts';

test('[J4] [J8] a stamp gives back its commit number, and every flipped bit in it is noticed', () => {
  for (const commit of [1, 2, 255, 65_521, 65_536, 1_000_000, 2 ** 31 + 5, 2 ** 36]) {
    const stamp = commitStamp(commit);
    expect(Number.isSafeInteger(stamp)).toBe(true);
    expect(stampedCommit(stamp)).toBe(commit);
    const flipped = Array.from({ length: 53 }, (_, bit) => Number(BigInt(stamp) ^ (1n << BigInt(bit))));
    expect(flipped.map(stampedCommit)).toEqual(flipped.map(() => undefined));
  }
  for (const none of [0, -1, -65_536]) expect(stampedCommit(none)).toBeUndefined();
});
