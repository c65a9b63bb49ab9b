import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { askGit, runGit } from '../git.ts';
import type { EntryMap } from '../store/port.ts';
import { type GitFacts, type GitHead, readPlain, readStanding } from './git-facts.ts';
import { lstatSync } from 'node:fs';
import { orElse } from '../../lib/or-else.ts';
import { type BytePath, diskPath } from '../byte-path.ts';

/**
 * A git folder for a workspace, made from nothing: no hooks, no remotes, no configuration of the user's but how bytes are
 * compared. It stands where the user's stands and reads the user's objects; nothing an agent does in it reaches the user's.
 * After an agent could have written it, the engine never runs git with it.
 */
export async function makePrivateGit(request: PrivateGitRequest): Promise<void> {
  const { facts, project, own } = request;
  const { head, refs } = await readStanding(project);
  await mkdir(join(own, 'objects', 'info'), { recursive: true });
  await Promise.all(['info', 'refs/heads', 'refs/tags'].map((name) => mkdir(join(own, name), { recursive: true })));
  const borrowed = await borrowedObjects(facts.objects);
  await Promise.all([
    writeFile(join(own, 'config'), configText(facts)),
    writeFile(join(own, 'objects', 'info', 'alternates'), borrowed.map((path) => `${path}\n`).join('')),
    writeFile(join(own, 'info', 'exclude'), await excludeText(facts)),
    writeFile(join(own, 'HEAD'), headText(head), 'latin1'),
    writeFile(join(own, 'packed-refs'), refs.map(({ id, name }) => `${id} ${name}\n`).join(''), 'latin1'),
    copyIfThere(facts.shallow, join(own, 'shallow')),
  ]);
  if (facts.prefix === '') await copyIndex(facts, own);
  else await standInPart(request, head);
  await hideMissing(request);
}

export interface PrivateGitRequest {
  readonly project: string;
  readonly facts: GitFacts;
  /** The workspace, with its files in place. */
  readonly folder: string;
  /** Where the git folder is made, out of every agent's reach; the caller moves it into the workspace when it is whole. */
  readonly own: string;
  /** What the workspace was made from. */
  readonly known: EntryMap;
}

/** Agents may commit, without a real identity. */
const IDENTITY = '[user]\n\tname = Agent\n\temail = agent@troupe.invalid\n';

function configText({ objectFormat, settings }: GitFacts): string {
  const version = objectFormat === 'sha1' ? 0 : 1;
  const fixed = [`repositoryformatversion = ${version}`, 'bare = false', 'logallrefupdates = true'];
  const own = Object.entries(settings).map(([name, value]) => `${name.slice('core.'.length)} = ${value}`);
  const core = [...fixed, ...own].map((line) => `\t${line}\n`).join('');
  const format = objectFormat === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n';
  return `[core]\n${core}${format}${IDENTITY}[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n`;
}

/** In the order of their say: the last line that matches decides. */
async function excludeText({ excludesFile, exclude }: GitFacts): Promise<Buffer> {
  const own = await readFile(excludesFile).catch(() => Buffer.alloc(0));
  const shared = (await readPlain(exclude)) ?? Buffer.alloc(0);
  return Buffer.concat([own, shared].flatMap((text) => [text, Buffer.from('\n')]));
}

function headText({ branch, commit }: GitHead): string {
  if (branch !== null) return `ref: ${branch}\n`;
  return commit === null ? 'ref: refs/heads/main\n' : `${commit}\n`;
}

/** The user's index, so that what is staged for the user is staged here. A split one has a second file. */
async function copyIndex({ index, sparse }: GitFacts, own: string): Promise<void> {
  await copyIfThere(index, join(own, 'index'));
  const names = await readdir(dirname(index)).catch(() => []);
  const shared = names.filter((name) => name.startsWith('sharedindex.') && basename(index) === 'index');
  await Promise.all(shared.map((name) => copyIfThere(join(dirname(index), name), join(own, name))));
  await copyIfThere(sparse, join(own, 'info', 'sparse-checkout'));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  const content = await readPlain(from);
  if (content !== null) await writeFile(to, content);
}

/** The project is a part of its repository: a commit of that part alone stands for the user's. */
async function standInPart(request: PrivateGitRequest, head: GitHead): Promise<void> {
  const { project, own } = request;
  const tree = head.commit === null ? null : await askGit(project, ['rev-parse', '--verify', '-q', 'HEAD:./']);
  await writeFile(join(own, 'packed-refs'), '');
  await writeFile(join(own, 'HEAD'), headText({ branch: head.branch ?? 'refs/heads/main', commit: null }), 'latin1');
  if (tree === null) return;
  const id = tree.trim();
  const commit = await inOwn(request, ['commit-tree', '-m', `This folder at ${head.commit}`, id]);
  await inOwn(request, ['update-ref', '--no-deref', head.branch ?? 'refs/heads/main', commit]);
  await inOwn(request, ['read-tree', id]);
}

async function inOwn(
  { folder, own }: PrivateGitRequest,
  words: readonly string[],
  input: Buffer | string = '',
): Promise<string> {
  const all = [`--git-dir=${own}`, `--work-tree=${folder}`, ...words];
  const done = await runGit(all, { cwd: folder, config: 'user', input });
  if (done.exitCode === 0) return done.output.toString('latin1').trim();
  throw new Fault('WORKSPACE_GIT_FAILED', `git could not make the workspace's own repository: ${done.errorOutput}`, {
    facts: { folder, words },
  });
}

/**
 * Files that the repository tracks and that a workspace never gets (control folders, what cannot be kept) would look deleted
 * there, and a commit would delete them. So git is set to skip them. Files that the user deleted stay deleted.
 */
async function hideMissing(request: PrivateGitRequest): Promise<void> {
  const { project, folder, own } = request;
  const place = [`--git-dir=${own}`, `--work-tree=${folder}`];
  const missing = (await missingByIndex(request)) ?? (await missingByGit(folder, place));
  const hidden = [...new Set(missing)].filter((path) => isThere(project, path));
  if (hidden.length === 0) return;
  const input = Buffer.from(hidden.map((path) => `${path}\0`).join(''), 'latin1');
  await inOwn(request, ['update-index', '--skip-worktree', '-z', '--stdin'], input);
}

/** Git would look at every file there is; here most are known. Null when only git can read the index. */
async function missingByIndex({ own, facts, known, folder }: PrivateGitRequest): Promise<readonly BytePath[] | null> {
  const index = await readPlain(join(own, 'index'));
  if (index === null) return [];
  const paths = indexPaths(index, facts.objectFormat === 'sha1' ? 20 : 32);
  const isKnown = (path: BytePath): boolean => (known.get(path)?.kind ?? 'unkept') !== 'unkept';
  return paths?.filter((path) => !isKnown(path) && !isThere(folder, path)) ?? null;
}

async function missingByGit(folder: string, place: readonly string[]): Promise<readonly BytePath[]> {
  const listed = await askGit(folder, [...place, 'ls-files', '-dz']);
  return (listed ?? '').split('\0').filter((path) => path !== '');
}

function isThere(project: string, path: BytePath): boolean {
  return orElse(() => lstatSync(diskPath(project, path), { throwIfNoEntry: false }) !== undefined, false);
}

/**
 * The paths that an index tracks and looks for in the work tree, read without starting git. Null for forms that only git
 * reads: a fourth version, one in two files, one with folders for what is not checked out, one that is cut short.
 */
export function indexPaths(index: Buffer, idBytes: number): readonly BytePath[] | null {
  if (index.length < HEADER_BYTES + idBytes || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const end = index.length - idBytes;
  const paths: BytePath[] = [];
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const entry = entryAt(index, at, idBytes);
    if (entry === null || entry.next > end) return null;
    if (!entry.isHidden) paths.push(entry.path);
    at = entry.next;
  }
  return isAllKnown(index.subarray(at, end)) ? paths : null;
}

const HEADER_BYTES = 12;

interface IndexEntry {
  readonly path: BytePath;
  /** Git is set to skip it. */
  readonly isHidden: boolean;
  readonly next: number;
}

const MODE_AT = 24;
const STAT_BYTES = 40;
const FOLDER_MODE = 0o040000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

function entryAt(index: Buffer, start: number, idBytes: number): IndexEntry | null {
  const flagsAt = start + STAT_BYTES + idBytes;
  if (flagsAt + 4 > index.length || index.readUInt32BE(start + MODE_AT) === FOLDER_MODE) return null;
  const isExtended = (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
  const isHidden = isExtended && (index.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) !== 0;
  const nameAt = flagsAt + (isExtended ? 4 : 2);
  const nameEnd = index.indexOf(0, nameAt);
  if (nameEnd === -1) return null;
  // Filled up with zeros to a multiple of eight, with at least one.
  const next = start + ((nameEnd - start + 8) & ~7);
  return { path: index.toString('latin1', nameAt, nameEnd), isHidden, next };
}

/** Extensions in capitals may be passed over; others say that the entries are not all there is. */
function isAllKnown(extensions: Buffer): boolean {
  let at = 0;
  while (at + 8 <= extensions.length) {
    const first = extensions.readUInt8(at);
    if (first < 0x41 || first > 0x5a) return false;
    at += 8 + extensions.readUInt32BE(at + 4);
  }
  return at === extensions.length;
}

/**
 * The folders of objects that a repository reads: its own, and those it borrows from in turn. Agents may read all of them, and
 * a project may come from anybody, so a folder that holds anything else is none: its repository could name the user's keys.
 */
export async function borrowedObjects(objects: string): Promise<readonly string[]> {
  const folders = new Set<string>();
  await addWithAlternates(objects, folders, 0);
  return [...folders].filter((folder) => !folder.includes('\n'));
}

/** Git itself goes no deeper. */
const MAX_DEPTH = 5;

async function addWithAlternates(objects: string, folders: Set<string>, depth: number): Promise<void> {
  if (folders.has(objects) || depth > MAX_DEPTH) return;
  const isOwn = depth === 0 && (await isRealFolder(objects));
  if (!isOwn && !(await holdsOnlyObjects(objects))) return;
  folders.add(objects);
  const text = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'));
  for (const line of lines) {
    await addWithAlternates(resolve(objects, line), folders, depth + 1);
  }
}

async function isRealFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}

async function holdsOnlyObjects(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null);
  return names?.every((name) => OBJECT_NAMES.test(name)) ?? false;
}

/** What git makes in such a folder, half-written things included. */
const OBJECT_NAMES = /^(?:[0-9a-f]{2}|pack|info|(?:tmp_|incoming-|bulk-fsync-).*)$/;
