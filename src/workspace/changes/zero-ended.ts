import type { BytePath } from '../byte-path.ts';

/** Paths as git reads them from its input: bytes, each with a NUL behind. */
export function zeroEnded(paths: readonly BytePath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}
