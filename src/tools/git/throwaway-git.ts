import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode, type HeldFolder, withFolder } from '../../lib/held-folder.ts';
import type { GitService } from '../port.ts';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { walkFolder } from '../../workspace/walk-folder.ts';
import { readHeldFile, readHeldFileNow } from '../../lib/held-file.ts';
import { joined } from '../folder-access.ts';
import { PathRefused } from '../../lib/confined-path.ts';

/**
 * A git folder for one question, made outside the workspace from what an agent's `.git` holds as data: where it stands, its
 * index, its objects. Nothing that could run or lead elsewhere comes along: no configuration but how bytes are compared, no
 * hooks, no attributes, no links, and of the repositories it borrows objects from only those that the caller permits.
 */
export interface ThrowawayGit {
  readonly directory: string;
  /** Object folders it reads outside the workspace. */
  readonly borrowed: readonly string[];
  dispose(): Promise<void>;
}

export interface ThrowawayRequest {
  readonly folder: string;
  readonly service: GitService;
  readonly signal: AbortSignal;
}

/** Null when the folder has no repository; throws for one that is not what it should be. */
export async function makeThrowawayGit(request: ThrowawayRequest): Promise<ThrowawayGit | null> {
  return withFolder({ root: request.folder, names: [] }, async (root) => {
    const seen = await root.look('.git');
    if (seen === null) return null;
    if (!seen.isDirectory()) throw new Error('.git is not a folder but leads elsewhere, which is not followed.');
    const source = await root.child('.git');
    try {
      return await copyOf(source, request);
    } finally {
      await source.close();
    }
  });
}

async function copyOf(source: HeldFolder, request: ThrowawayRequest): Promise<ThrowawayGit> {
  const directory = await mkdtemp(join(resolve(request.service.scratch ?? tmpdir()), 'troupe-git-'));
  const dispose = () => rm(directory, { recursive: true, force: true });
  try {
    const config = plainConfig((await readIfThere(source, ['config'], MAX_TEXT)).toString('utf8'));
    await Promise.all(
      ['info', 'hooks', 'refs', 'objects/info'].map((name) => mkdir(join(directory, name), { recursive: true })),
    );
    await writeFile(join(directory, 'config'), config);
    for (const { names, maxBytes } of PLAIN_FILES) {
      const bytes = await readIfThere(source, names, maxBytes);
      if (bytes.length > 0) await writeFile(join(directory, ...names), bytes);
    }
    await keepIndexTime(source, directory);
    await copyRefs(source, directory, request.signal);
    await copyObjects(source, join(directory, 'objects'), request.signal);
    return { directory, borrowed: await borrow(source, directory, request.service.borrowable ?? []), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A file changed in the second in which the index was written looks unchanged to git, unless the index is as old as it is. */
async function keepIndexTime(source: HeldFolder, directory: string): Promise<void> {
  const stats = await source.look('index');
  if (stats !== null && stats.size > 0) await utimes(join(directory, 'index'), stats.atime, stats.mtime);
}

const MAX_TEXT = 1024 * 1024;
const PLAIN_FILES = [
  { names: ['index'], maxBytes: 256 * 1024 * 1024 },
  { names: ['shallow'], maxBytes: MAX_TEXT },
  { names: ['info', 'exclude'], maxBytes: MAX_TEXT },
] as const;

/** An agent can write any path there, so only the permitted ones count, and they are compared as they really are. */
async function borrow(
  source: HeldFolder,
  directory: string,
  borrowable: readonly string[],
): Promise<readonly string[]> {
  const text = (await readIfThere(source, ['objects', 'info', 'alternates'], MAX_TEXT)).toString('utf8');
  const named = await realPaths(
    text
      .split('\n')
      .filter((line) => line.startsWith('/'))
      .slice(0, 100),
  );
  const permitted = new Set(await realPaths(borrowable));
  const borrowed = [...new Set(named)].filter((path) => permitted.has(path) && !/["\n]/.test(path));
  if (borrowed.length > 0) {
    await writeFile(join(directory, 'objects', 'info', 'alternates'), borrowed.map((path) => `${path}\n`).join(''));
  }
  return borrowed;
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return found.filter((path) => path !== null);
}

/**
 * Brings the objects of an agent's repository into a folder that the agent cannot reach: by hard links on the same disk, else by
 * copying. They are checked after they arrived, when no process can exchange them any more: a planted link stays outside. Git only
 * reads them, and the hard links are gone a moment later.
 */
async function copyObjects(source: HeldFolder, target: string, signal: AbortSignal): Promise<void> {
  if ((await source.look('objects'))?.isDirectory() !== true)
    throw new Error('The repository is damaged: it has no objects.');
  const objects = await source.child('objects');
  const copier = new Copier(target);
  try {
    for await (const { folder, name, names, kind } of walkFolder(objects, {
      signal,
      skip: (bytes) => isForeign(bytes),
    })) {
      if (kind !== 'file' || names.length !== 2) continue;
      const [group = '', own = ''] = names.map((one) => one.toString('latin1'));
      if (isObject(group, own)) copier.take(folder.at(name), group, own);
    }
  } finally {
    await objects.close();
  }
}

const MAX_OBJECTS = 200_000;
const MAX_COPIED_BYTES = 1024 * 1024 * 1024;

/** Only what holds objects: no list of other repositories, no derived indexes. */
function isObject(group: string, own: string): boolean {
  if (group === 'pack') return /^pack-[0-9a-f]{40,64}\.(?:pack|idx)$/.test(own);
  return /^[0-9a-f]{2}$/.test(group) && /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(own);
}

function isForeign(name: Buffer): boolean {
  return name.toString('latin1') === 'info';
}

class Copier {
  readonly #target: string;
  readonly #groups = new Set<string>();
  #count = 0;
  #bytes = 0;

  constructor(target: string) {
    this.#target = target;
  }

  take(from: Buffer, group: string, own: string): void {
    this.#count += 1;
    if (this.#count > MAX_OBJECTS)
      throw new Error(`The repository has more than ${MAX_OBJECTS} objects; run git gc in it.`);
    const folder = join(this.#target, group);
    if (!this.#groups.has(group)) mkdirSync(folder);
    this.#groups.add(group);
    const to = join(folder, own);
    if (!linked(from, to)) this.#bytes += copied(from, to, MAX_COPIED_BYTES - this.#bytes);
    else if (!lstatSync(to).isFile()) rmSync(to);
  }
}

/** A second name for a link is a link again, never what it points to. */
function linked(from: Buffer, to: string): boolean {
  // Elsewhere the same call follows it.
  if (process.platform !== 'linux') return false;
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** How many bytes were copied; none from what is not a regular file. */
function copied(from: Buffer, to: string, maxBytes: number): number {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(source);
    if (stats.size > maxBytes) throw new Error('The repository is too large to be looked at from another disk.');
    if (stats.isFile()) copyBytes(source, to, stats.size);
    return stats.size;
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, to: string, size: number): void {
  const target = openSync(to, 'wx');
  try {
    const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
    for (let at = 0; at < size;) {
      const read = readSync(source, chunk, 0, Math.min(chunk.length, size - at), at);
      if (read === 0) break;
      writeSync(target, chunk, 0, read);
      at += read;
    }
  } finally {
    closeSync(target);
  }
}

const CHUNK_BYTES = 1024 * 1024;

/** HEAD, branches and tags: only lines with an id or the name of another ref. */
async function copyRefs(source: HeldFolder, directory: string, signal: AbortSignal): Promise<void> {
  const head = (await readIfThere(source, ['HEAD'], MAX_REF)).toString('latin1');
  if (!REF.test(head)) throw new Error('The repository is damaged: its HEAD names no branch and no commit.');
  await writeFile(join(directory, 'HEAD'), head, 'latin1');
  const packed = (await readIfThere(source, ['packed-refs'], MAX_PACKED)).toString('latin1').split('\n');
  const kept = packed.filter((line) => PACKED.test(line)).map((line) => `${line}\n`);
  await writeFile(join(directory, 'packed-refs'), kept.join(''), 'latin1');
  if ((await source.look('refs'))?.isDirectory() !== true) return;
  const refs = await source.child('refs');
  try {
    await copyLooseRefs(refs, join(directory, 'refs'), signal);
  } finally {
    await refs.close();
  }
}

const MAX_REF = 4096;
const MAX_PACKED = 16 * 1024 * 1024;
const MAX_COUNT = 20_000;
const REF = /^(?:ref: refs\/[^\s\\~^:?*[]+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/;
const PACKED = /^(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/[^\s\\~^:?*[]+$/;

async function copyLooseRefs(refs: HeldFolder, target: string, signal: AbortSignal): Promise<void> {
  let count = 0;
  for await (const { folder, name, names, kind } of walkFolder(refs, { signal, tolerant: true })) {
    if (kind !== 'file') continue;
    count += 1;
    if (count > MAX_COUNT) throw new Error(`The repository has more than ${MAX_COUNT} loose branches and tags.`);
    const bytes = readHeldFileNow(folder, name, { maxBytes: MAX_REF });
    if (bytes === null || !REF.test(bytes.toString('latin1'))) continue;
    const path = Buffer.concat([Buffer.from(`${target}/`), joined(names)]);
    await mkdir(join(target, dirname(joined(names).toString('utf8'))), { recursive: true });
    await writeFile(path, bytes).catch(() => undefined);
  }
}

/**
 * Our own configuration for a repository that an agent could write: only the settings that decide how bytes and names are compared,
 * with values from a short list. Nothing else is copied, so there is nothing to switch off.
 */
function plainConfig(text: string): string {
  const found = new Map(settingsIn(text));
  const format = found.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
  if (found.has('extensions.refstorage') && found.get('extensions.refstorage') !== 'files') {
    throw new Error('The repository keeps its branches in a form that is not read here (extensions.refStorage).');
  }
  const kept = [...found].filter(([name, value]) => PLAIN_NAMES.test(name) && PLAIN_VALUES.test(value));
  const core = kept.map(([name, value]) => `\t${name.slice('core.'.length)} = ${value}\n`).join('');
  const version = format === 'sha1' ? 0 : 1;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${core}${format === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n'}`;
}

const PLAIN_NAMES = /^core\.(?:autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode)$/;
const PLAIN_VALUES = /^(?:true|false|input|lf|crlf|native)$/;

/** Reads only the simplest form of the format; other lines do not count. */
function settingsIn(text: string): readonly (readonly [string, string])[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([a-z]+)\s*\]\s*$/i.exec(line)?.[1];
    if (head !== undefined || line.trimStart().startsWith('[')) section = head?.toLowerCase() ?? '';
    const [, name, value] = /^\s*([a-z]+)\s*=\s*([a-z0-9]+)\s*$/.exec(line.toLowerCase()) ?? [];
    return name === undefined || value === undefined ? [] : [[`${section}.${name}`, value] as const];
  });
}

/** A file below a held folder; empty if missing. Links on the way or at the end are refused. */
async function readIfThere(folder: HeldFolder, names: readonly string[], maxBytes: number): Promise<Buffer> {
  const [name, ...rest] = names;
  if (name === undefined) return Buffer.alloc(0);
  try {
    if (rest.length === 0) return await readHeldFile(folder, name, { maxBytes });
    const child = await folder.child(name);
    try {
      return await readIfThere(child, rest, maxBytes);
    } finally {
      await child.close();
    }
  } catch (error) {
    if (error instanceof PathRefused && error.reason === 'missing') return Buffer.alloc(0);
    throw error;
  }
}
