import { constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { RunSetup, SetupRequest, SetupResult } from '../port.ts';
import type { EntryMap, LeaveOut, TreeStore } from '../store/port.ts';
import {
  foreignPaths,
  isFolderAt,
  isText,
  knownPaths,
  madeParts,
  type MadePaths,
  SETUP_MARK,
  textPath,
} from './made-paths.ts';
import { createHash, randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { type ProcessResult, runProcess } from '../../lib/run-process.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { type BytePath, nameIn, foldersAbove, shownBytes } from '../byte-path.ts';

/**
 * Makes a new workspace ready for work, once: from what the same command made before, or by running it. Null when
 * nothing was done. What was not there before stays, in the workspace alone; what it did to files of the tree the caller undoes.
 */
export async function setUp(request: SetUpRequest): Promise<'ran' | 'brought' | null> {
  if (existsSync(join(request.kept, SETUP_MARK))) return null;
  const { command, folder, signal } = request.run;
  const cache = join(request.home, 'setup', setupKey(command, request.entries, request.scope));
  const known = knownPaths(request.entries);
  const brought = await bringFromCache(cache, folder, signal);
  const made = brought ?? (await runAndSave(request, cache, known));
  // What the rules leave out anyway has no need of a name.
  const named = made.filter((path) => !request.leaveOut(path, isFolderAt(folder, path)));
  await request.made.keep(command, await madeParts(folder, named), folder);
  return brought === null ? 'ran' : 'brought';
}

export interface SetUpRequest {
  readonly home: string;
  readonly kept: string;
  /** The owner of the cache: results of one project are never given to another. */
  readonly scope: string;
  readonly entries: EntryMap;
  readonly leaveOut: LeaveOut;
  readonly made: MadePaths;
  /** Only what ran on the user's own files is for others: on an agent's it could have been led to make anything. */
  readonly mayCache: boolean;
  readonly run: SetupRequest;
  readonly runSetup: RunSetup;
}

async function runAndSave(
  request: SetUpRequest,
  cache: string,
  known: ReadonlySet<BytePath>,
): Promise<readonly BytePath[]> {
  const { folder, signal } = request.run;
  const before = new Set(await foreignPaths(folder, known));
  const result = await request.runSetup(request.run);
  signal?.throwIfAborted();
  if (result.exitCode !== 0) throw setupFailed(request.run, result);
  const made = (await foreignPaths(folder, known)).filter((path) => !before.has(path));
  const paths = made.filter(isText);
  if (request.mayCache && paths.length === made.length && made.length > 0) {
    await saveToCache(cache, { folder, paths }, signal);
  }
  return made;
}

const SHOWN_LINES = 20;

function setupFailed({ command, network, run }: SetupRequest, { exitCode, output }: SetupResult): Fault {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const how = exitCode === null ? 'did not come to an end' : `ended with exit code ${exitCode}`;
  const where = network ? '' : ', without the network since agents have worked on these files';
  return new Fault('SETUP_FAILED', `The setup command \`${command}\` ${how}${where}:\n${lines.join('\n')}`, {
    hint: [
      ...(network ? [] : [NEEDS_NETWORK]),
      `Fix it (setup in the configuration, or what it needs) and continue with: troupe resume ${run}`,
      `Or continue without it: troupe resume ${run} --no-setup`,
    ].join('\n'),
    facts: { command, exitCode, network, lines },
  });
}

/** The hint: results for the user's own files are cached by their lock files, so the fix is in the project. */
const NEEDS_NETWORK =
  'If it has to fetch something: take the changed lock files over into the project and start a run from there, or let setup install from what is on this machine when the network is missing.';

/** Equal keys: the command would make the same again. Lock files count wherever they lie, with the path and every byte. */
function setupKey(command: string, entries: EntryMap, scope: string): string {
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.version.split('.')[0] ?? ''];
  hash.update(JSON.stringify([FORMAT, scope, command, ...machine]));
  for (const [path, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = nameIn(path);
    if (entry.kind === 'file' && LOCK_FILES.test(name)) hash.update(JSON.stringify([path, entry.blob]));
  }
  return hash.digest('hex').slice(0, 40);
}

/** Grows whenever something else is kept than before. */
const FORMAT = 2;
const LOCK_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|requirements[^/]*\.txt|Gemfile\.lock|composer\.lock|go\.sum|mix\.lock)$/;

/**
 * What setup commands made, by key: `<home>/setup/<key>/` with a list and the files. A cache that is there is whole, since it
 * grows under another name; of two who make the same at once the first one's stays. Says what was brought; null where nothing
 * is kept.
 */
async function bringFromCache(
  cache: string,
  folder: string,
  signal?: AbortSignal,
): Promise<readonly BytePath[] | null> {
  const now = new Date();
  // First, so that pruning does not take it for unused while it is read.
  await utimes(cache, now, now).catch(() => undefined);
  const paths = await readList(cache);
  if (paths === null) return null;
  const brought: BytePath[] = [];
  for (const [at, path] of paths.entries()) {
    if (!(await leadsThroughFolders(folder, path))) continue;
    const to = textPath(folder, path);
    // Half of it may be there from a try that was cut short.
    await rm(to, { recursive: true, force: true });
    await copyWhole(join(cache, 'made', String(at)), to, signal);
    brought.push(path);
  }
  return brought;
}

/** An agent's tree may have a link where the cache had a folder; nothing is written through it. */
async function leadsThroughFolders(folder: string, path: BytePath): Promise<boolean> {
  const looks = foldersAbove(path).map((above) => lstat(textPath(folder, above)).catch(() => null));
  return (await Promise.all(looks)).every((stats) => stats === null || stats.isDirectory());
}

async function saveToCache(cache: string, made: Made, signal?: AbortSignal): Promise<void> {
  const own = `${cache}.unfinished-${process.pid}-${randomBytes(6).toString('hex')}`;
  await mkdir(join(own, 'made'), { recursive: true, mode: 0o700 });
  try {
    for (const [at, path] of made.paths.entries()) {
      await copyWhole(textPath(made.folder, path), join(own, 'made', String(at)), signal);
    }
    await writeFile(join(own, LIST), `${JSON.stringify(made.paths)}\n`);
    if ((await readList(cache)) === null) await removeDamaged(cache);
    await rename(own, cache);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if ((await readList(cache)) === null) throw error;
  }
}

/** Renames it first, so that no process finds it half removed. */
async function removeDamaged(cache: string): Promise<void> {
  const away = `${cache}.damaged-${randomBytes(6).toString('hex')}`;
  await rename(cache, away).catch(() => undefined);
  await rm(away, { recursive: true, force: true });
}

export interface Made {
  readonly folder: string;
  readonly paths: readonly BytePath[];
}

const LIST = 'list.json';

async function readList(cache: string): Promise<readonly BytePath[] | null> {
  try {
    const paths = JSON.parse(await readFile(join(cache, LIST), 'utf8')) as readonly BytePath[];
    const made = new Set(await readdir(join(cache, 'made')));
    // Somebody cleaned up by hand: what is left is of no use.
    return paths.every((_, at) => made.has(String(at))) ? paths : null;
  } catch {
    return null;
  }
}

/**
 * Copies a file or a folder whole: links as links, modes kept, blocks shared where the disk can, and never a hard link to
 * what was copied, since an agent could write through it.
 */
async function copyWhole(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (!existsSync(COPY_PROGRAM) || process.platform !== 'linux') {
    await cp(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      errorOnExist: true,
      force: false,
    });
    return;
  }
  // The system's own program takes a third of the time, and this process stays free meanwhile.
  const copied = await runProcess([COPY_PROGRAM, '-a', '--reflink=auto', '--no-target-directory', '--', from, to], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    containment: 'group',
    staysInGroup: true,
    ...(signal === undefined ? {} : { signal }),
  });
  signal?.throwIfAborted();
  if (copied.exitCode !== 0) throw notCopied(from, copied);
}

const COPY_PROGRAM = '/bin/cp';

function notCopied(from: string, copied: ProcessResult): Fault {
  const isFull = copied.errorOutput.includes('No space left');
  return new Fault(
    isFull ? 'DISK_FULL' : 'SETUP_COPY_FAILED',
    `The files that the setup created could not be copied: ${join(from)}.`,
    {
      hint: isFull ? 'Make room on the disk and try again.' : copied.errorOutput.trim().slice(-500),
    },
  );
}

/** Tells of files of the project that a setup command changed or removed: a workspace begins with them as they were. */
export async function tellUndone({ store, command, tell }: Telling, tree: TreeId, after: TreeId): Promise<void> {
  if (tell === undefined || tree === after) return;
  const changes = await store.compare(tree, after);
  const paths = changes.filter(({ before }) => before !== null).map(({ path }) => shownBytes(path));
  if (paths.length === 0) return;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  tell(
    `The setup command \`${command}\` changed files of the project, which were put back: ${paths.slice(0, SHOWN).join(', ')}${more}`,
  );
}

const SHOWN = 10;

interface Telling {
  readonly store: TreeStore;
  readonly command: string;
  readonly tell: ((sentence: string) => void) | undefined;
}
