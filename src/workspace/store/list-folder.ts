import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type BytePath, pathText, toWritten } from '../byte-path.ts';
import { FIND_FOLDER_FORMAT, FIND_FORMAT } from './entry-stamp.ts';
import { type LookedFolders, quickListing } from './folder-look.ts';
import { type ListedLine, type ListingOptions, walkListing } from './walk-listing.ts';

/** Everything in a folder, in the fastest way that lists all of it. What is left out may be in the list or not. */
export async function listEntries(folder: string, options: ListFolderOptions): Promise<readonly ListedLine[]> {
  const quick = isQuick(folder, options) ? await quickListing(folder, options) : null;
  if (quick !== null) return quick;
  const away = options.away.filter((path) => isPlainPath(path) && options.leaveOut(path, true)).slice(0, MAX_AWAY);
  return (await findListing(folder, away, options.signal)) ?? (await walkListing(folder, options));
}

export interface ListFolderOptions extends ListingOptions {
  /** How many entries there were the last time; 0 when that is not known. */
  readonly expected: number;
  /** Folders that were left out the last time, the largest first: they are not even looked into. */
  readonly away: readonly BytePath[];
  /** For a folder that is looked at again and again. */
  readonly looked?: LookedFolders | null;
}

/** Of a view by descriptor each look takes twice as long, but not for a program that stands in it. */
function isQuick(folder: string, { expected, looked }: ListFolderOptions): boolean {
  const isRemembered = (looked ?? null) !== null && !folder.startsWith('/proc/');
  return expected > 0 && expected < (isRemembered ? MANY_LOOKS : MANY_ENTRIES);
}

/** From here on a program is faster, for all the time it takes to start one. */
const MANY_ENTRIES = 1500;
/** The bound where entries are only looked at, which is faster. */
const MANY_LOOKS = 60_000;
/** Each is a comparison for every entry. */
const MAX_AWAY = 24;

/**
 * Lists a folder with GNU find, in half the time our own walk takes and without holding this process up. It follows no
 * link, and a folder swapped for a link while it looks gives stamps that match nothing: files are only ever read by
 * descriptor. Null when it could not list everything.
 */
export async function findListing(
  folder: string,
  away: readonly BytePath[],
  signal?: AbortSignal,
): Promise<readonly ListedLine[] | null> {
  const find = programPath();
  if (find === null) return null;
  const words = [
    '.',
    '-mindepth',
    '1',
    '(',
    '-name',
    '.git',
    ...away.flatMap((path) => ['-o', '-path', asPattern(path)]),
  ];
  try {
    const { stdout } = await run(find, [...words, ...PRINT], { ...RUN_OPTIONS, cwd: folder, signal });
    const lines = stdout.split('\0').slice(0, -1);
    return isInForm(lines) ? lines : null;
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

const PRINT = [
  ...') -prune -o -type d -printf'.split(' '),
  `${FIND_FOLDER_FORMAT}\\t%p\\0`,
  '-o',
  '-printf',
  `${FIND_FORMAT}\\t%p\\0`,
];

/** Whether a path can be handed to a program: what Node hands on is text. */
function isPlainPath(path: BytePath): boolean {
  return typeof toWritten(path) === 'string';
}

const run = promisify(execFile);
const RUN_OPTIONS = { env: { LC_ALL: 'C' }, encoding: 'latin1', maxBuffer: 1024 * 1024 * 1024 } as const;

function asPattern(path: BytePath): string {
  return `./${pathText(path).replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}`;
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
