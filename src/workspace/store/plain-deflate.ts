/**
 * Zlib's form of bytes that are not compressed: a header, one stored block, a checksum. Every zlib reads it. Node makes a
 * stream with windows of its own for each call into zlib, which for a small file takes twenty times as long as this.
 */
export function writePlain(body: Uint8Array, to: Buffer, at: number): void {
  to.writeUInt16BE(ZLIB_HEADER, at);
  to[at + 2] = LAST_STORED_BLOCK;
  to.writeUInt16LE(body.length, at + 3);
  to.writeUInt16LE(body.length ^ 0xffff, at + 5);
  to.set(body, at + HEAD_BYTES);
  to.writeUInt32BE(adler32(body), at + HEAD_BYTES + body.length);
}

export function plainLength(bytes: number): number {
  return HEAD_BYTES + bytes + CHECKSUM_BYTES;
}

/** The bytes again; null when they are in another form, or damaged: then zlib says what is wrong. */
export function readDeflated(packed: Buffer): Buffer | null {
  const length = packed.length - HEAD_BYTES - CHECKSUM_BYTES;
  if (length < 0 || packed.readUInt16BE(0) !== ZLIB_HEADER || packed[2] !== LAST_STORED_BLOCK) return null;
  if (packed.readUInt16LE(3) !== length || packed.readUInt16LE(5) !== (length ^ 0xffff)) return null;
  const body = packed.subarray(HEAD_BYTES, HEAD_BYTES + length);
  return adler32(body) === packed.readUInt32BE(HEAD_BYTES + length) ? body : null;
}

/** The most that one block can hold. */
export const MAX_PLAIN_BYTES = 0xffff;

const ZLIB_HEADER = 0x7801;
const LAST_STORED_BLOCK = 1;
const HEAD_BYTES = 7;
const CHECKSUM_BYTES = 4;

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + BEFORE_OVERFLOW, bytes.length);
    for (; at < end; at += 1) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= ADLER_PRIME;
    high %= ADLER_PRIME;
  }
  return ((high << 16) | low) >>> 0;
}

const ADLER_PRIME = 65_521;
/** So many bytes may be summed up before the sums leave the numbers that are added fastest. */
const BEFORE_OVERFLOW = 3800;
