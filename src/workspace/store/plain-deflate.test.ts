import { randomBytes } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MAX_PLAIN_BYTES, plainLength, readDeflated, writePlain } from './pack-format.ts';

function plain(body: Buffer): Buffer {
  const packed = Buffer.alloc(plainLength(body.length));
  writePlain(body, packed, 0);
  return packed;
}

test.each([0, 1, 3799, 3800, 3801, 16_384, MAX_PLAIN_BYTES])(
  '[PH7] zlib reads %i plain bytes, and so do we',
  (size) => {
    for (const body of [randomBytes(size), Buffer.alloc(size, 0xff)]) {
      expect(inflateSync(plain(body)).equals(body)).toBe(true);
      expect(readDeflated(plain(body))?.equals(body)).toBe(true);
    }
  },
);

test('[PH7] a changed bit anywhere is seen', () => {
  const packed = plain(Buffer.from('some bytes'));
  for (let at = 0; at < packed.length; at += 1) {
    const damaged = Buffer.from(packed);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    expect(readDeflated(damaged)).toBeNull();
  }
  expect(readDeflated(packed.subarray(0, -1))).toBeNull();
});
