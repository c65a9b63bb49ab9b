import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

import type { JournalHead } from './head.ts';
import { headDamaged } from './sqlite-fault.ts';

/** The format of `journal.head`: one line of fixed length, so that each write replaces all of it. */

export const headPath = (home: string): string => join(home, HEAD_NAME);

export const HEAD_NAME = 'journal.head';

const TITLE = 'troupe journal head 1';
/** The title, the number, the hash and the check, each followed by one character. */
export const HEAD_LENGTH = TITLE.length + 1 + 16 + 1 + 43 + 1 + 12 + 1;
/** Another process may be in the middle of writing it. */
const READS = 20;

/** The content of the file. An empty file counts as missing: its process died before it wrote. */
export type HeadFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'whole'; readonly head: JournalHead }
  | DamagedHeadFile;

export interface DamagedHeadFile {
  readonly kind: 'damaged';
  /** Its first bytes; null: it is not a file. */
  readonly text: string | null;
}

/** The head as one process last wrote it: most often the file is found unchanged. */
export interface WrittenHead {
  readonly text: string;
  readonly head: JournalHead;
}

export function encodeHead(head: JournalHead): WrittenHead {
  const line = `${TITLE} ${String(head.number).padStart(16, '0')} ${head.hash}`;
  return { text: `${line} ${checkOf(line)}\n`, head };
}

const checkOf = (line: string): string => hash('sha256', line, 'base64url').slice(0, 12);

/** Reads without writing anything. */
export function readHeadFile(home: string): HeadFile {
  let file: number;
  try {
    file = openSync(headPath(home), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readOpenHead(file) : { kind: 'damaged', text: null };
  } finally {
    closeSync(file);
  }
}

/** Reading is synchronous, so one page serves all. */
const PAGE = Buffer.alloc(HEAD_LENGTH + 1);

export function readOpenHead(file: number, known?: WrittenHead): HeadFile {
  let text = '';
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const length = readSync(file, PAGE, 0, PAGE.length, 0);
    if (length === 0) return { kind: 'missing' };
    text = PAGE.toString('latin1', 0, length);
    const head = text === known?.text ? known.head : decode(text);
    if (head !== null) return { kind: 'whole', head };
  }
  return { kind: 'damaged', text };
}

function decode(text: string): JournalHead | null {
  const line = text.slice(0, -14);
  const [number, hash] = line.slice(TITLE.length + 1).split(' ');
  if (number === undefined || hash === undefined || text !== `${line} ${checkOf(line)}\n`) return null;
  return { number: Number(number), hash };
}

/** The head that the file names; null without one. Throws where it is damaged. */
export function headIn(file: HeadFile, home: string): JournalHead | null {
  if (file.kind === 'damaged') throw headDamaged(headPath(home), headDamage(file));
  return file.kind === 'whole' ? file.head : null;
}

/** The damage, as text that follows the name of the file. */
function headDamage({ text }: DamagedHeadFile): string {
  if (text === null) return 'is not a file';
  if (/^\0+$/.test(text)) return 'holds nothing but zeros';
  if (!text.startsWith(TITLE.slice(0, text.length))) return 'was written by something else than Troupe';
  if (text.length < HEAD_LENGTH) return `is half written: ${text.length} of ${HEAD_LENGTH} bytes`;
  return text.length > HEAD_LENGTH ? 'is longer than Troupe wrote it' : 'does not match its own checksum';
}

/**
 * The commit that a damaged file most likely named; null where that cannot be read. `newest` is the commit of the
 * database: where its hash can still be read, a wrong digit in the number means nothing.
 */
export function remainingNumber({ text }: DamagedHeadFile, newest: JournalHead): number | null {
  if (text?.includes(newest.hash) === true) return newest.number;
  const [, digits] = /^(\d{16})/.exec(text?.startsWith(TITLE) === true ? text.slice(TITLE.length + 1) : '') ?? ['', ''];
  return digits === '' || digits === undefined ? null : Number(digits);
}
