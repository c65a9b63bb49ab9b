import { closeSync, openSync, readSync } from 'node:fs';

/** A client's program, as it was found on this machine. */
export interface FoundProgram {
  /** Without links. */
  readonly path: string;
  /** It is the program itself, not a script that starts it: a kill then reaches the right one. */
  readonly isNative: boolean;
}

/** ELF, or one of the forms of Mach-O. */
const MAGIC = new Set(['7f454c46', 'cffaedfe', 'cafebabe', 'feedfacf']);

export function isProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return MAGIC.has(head.toString('hex'));
}
