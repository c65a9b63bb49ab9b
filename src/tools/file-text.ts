import { isUtf8 } from 'node:buffer';

/** The text of a file, or null when it is not text. A byte order mark and the line ends stay as they are. */
export function textOf(bytes: Buffer): string | null {
  return isBinary(bytes) || !isUtf8(bytes) ? null : bytes.toString('utf8');
}

/** A NUL never stands in text; looking at the beginning is what git does too. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
