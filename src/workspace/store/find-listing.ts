import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { BytePath } from '../byte-path.ts';
import { toWritten } from '../byte-path.ts';
import { FIND_FOLDER_FORMAT, FIND_FORMAT } from './entry-stamp.ts';
import type { ListedLine } from './walk-listing.ts';

/**
 * Lists a folder with GNU find, in half the time our own walk takes and without holding this process up. It follows no
 * link, and a folder swapped for a link while it looks gives stamps that match nothing: files are only ever read by
 * descriptor. Null when it could not list everything.
 */
export async function findListing(folder: string, search: FindSearch): Promise<readonly ListedLine[] | null> {
  const find = programPath();
  if (find === null || search.starts.length === 0) return find === null ? null : [];
  const away = (search.away ?? []).flatMap((path) => ['-o', '-path', asPattern(path)]);
  const words = [
    ...search.starts.map((path) => (path === '' ? '.' : `./${toText(path)}`)),
    ...'-mindepth 1 ( -name .git'.split(' '),
    ...away,
    ...PRINT,
  ];
  try {
    const { stdout } = await run(find, words, { ...RUN_OPTIONS, cwd: folder, signal: search.signal });
    const lines = linesOf(stdout);
    return isInForm(lines) ? lines : null;
  } catch {
    search.signal?.throwIfAborted();
    return null;
  }
}

export interface FindSearch {
  /** Folders that are listed with all below them; '' is the folder itself. Plain names only: see `isPlainPath`. */
  readonly starts: readonly BytePath[];
  /** Folders that are not gone into, and not listed. Plain names only. */
  readonly away?: readonly BytePath[];
  readonly signal?: AbortSignal | undefined;
}

const PRINT = [
  ...') -prune -o -type d -printf'.split(' '),
  `${FIND_FOLDER_FORMAT}\\t%p\\0`,
  '-o',
  '-printf',
  `${FIND_FORMAT}\\t%p\\0`,
];

/** Whether a path can be handed to a program: what Node hands on is text. */
export function isPlainPath(path: BytePath): boolean {
  return typeof toWritten(path) === 'string';
}

const run = promisify(execFile);
const RUN_OPTIONS = { env: { LC_ALL: 'C' }, encoding: 'latin1', maxBuffer: 1024 * 1024 * 1024 } as const;

function linesOf(output: string): readonly ListedLine[] {
  const lines = output.split('\0');
  lines.pop();
  return lines;
}

function toText(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

function asPattern(path: BytePath): string {
  return `./${toText(path).replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}`;
}

/** Other finds know no format, or print another one. */
function isInForm(lines: readonly ListedLine[]): boolean {
  const file = lines.find((line) => !line.startsWith('d '));
  return file === undefined || FORM.test(file);
}

const FORM = /^[a-zA-Z] [0-7]+ \d+ \d+ \d+\.\d{10}\t\.\//;

let program: string | null | undefined;

/** At places where the system keeps its programs only. */
function programPath(): string | null {
  program ??= PLACES.find((path) => existsSync(path)) ?? null;
  return program;
}

const PLACES =
  process.platform === 'linux' ? ['/usr/bin/find', '/bin/find'] : ['/usr/local/bin/gfind', '/opt/homebrew/bin/gfind'];
