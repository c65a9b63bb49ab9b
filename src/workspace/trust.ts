import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import { HeldFolder, holdFolder } from '../lib/held-folder.ts';
import { readHeldFile, writeHeldFile } from '../lib/held-file.ts';
import { existsSync, readFileSync } from 'node:fs';
import { PathRefused, shownPath } from '../lib/confined-path.ts';
import { type WalkedEntry, walkFolder } from './walk-folder.ts';
import { type BytePath, shownBytes, toBytePath } from './byte-path.ts';
import { reachedFiles } from './reached-files.ts';
import { unlessMissing } from '../lib/or-else.ts';

/**
 * Whether the user said that this project's own code may run and its settings may act. Kept outside every project, keyed by
 * the project's real path and by all that would run or be sent: whatever changes, appears or goes makes it `changed`, and asks
 * again.
 */
export async function trustState(options: TrustOptions): Promise<Trust> {
  const { project, found, store } = await load(options);
  const known = store.projects[project];
  const sameOrNot = known?.hash === found.hash ? 'trusted' : 'changed';
  const state = known === undefined ? 'untrusted' : sameOrNot;
  return { state, ...shownOf(options, found) };
}

export interface TrustOptions {
  readonly home: string;
  readonly project: string;
  /** What the project's settings would do; none when left out. */
  readonly powers?: readonly Power[];
  /** Gets each file of the code as it is read for the hash. */
  readonly onFile?: (file: CodeFile) => void;
}

export interface CodeFile {
  /** Relative to the project. */
  readonly path: BytePath;
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

/** Something that a setting of a project does with what is the user's. */
export interface Power {
  readonly kind: 'command' | 'address' | 'code' | 'folder';
  /** Where it stands, such as `models.base`. */
  readonly setting: string;
  /** Its full effect, to which the user consents: the command, the address, the names of keys. */
  readonly does: string;
}

export interface Trust {
  readonly state: 'trusted' | 'untrusted' | 'changed';
  /** All code that would run, relative to the project. */
  readonly files: readonly string[];
  readonly powers: readonly Power[];
  /** The hash of all of it, to which the user's consent applies. */
  readonly hash: string;
}

/** Trusts what was shown, whatever is there by now; what is there now where nothing was. */
export async function trustProject(options: TrustOptions, shown?: Trust): Promise<Trust> {
  const { project, found, store } = await load(options);
  const agreed = shown ?? shownOf(options, found);
  await save(options.home, { ...store.projects, [project]: { hash: agreed.hash } });
  return { ...agreed, state: agreed.hash === found.hash ? 'trusted' : 'changed' };
}

function shownOf({ powers = [] }: TrustOptions, { files, hash }: ExecutableFiles): Omit<Trust, 'state'> {
  return { files, powers, hash };
}

export async function untrustProject(options: TrustOptions): Promise<Trust> {
  const { project, found, store } = await load(options);
  const rest = Object.entries(store.projects).filter(([path]) => path !== project);
  await save(options.home, Object.fromEntries(rest));
  return { state: 'untrusted', ...shownOf(options, found) };
}

interface TrustStore {
  readonly format: 1;
  readonly projects: Readonly<Record<string, { readonly hash: string }>>;
}

interface Loaded {
  readonly project: string;
  readonly found: ExecutableFiles;
  readonly store: TrustStore;
}

const STORE_NAME = 'trust.json';

async function load(options: TrustOptions): Promise<Loaded> {
  const project = await realpath(options.project).catch((cause: unknown) => {
    throw new Fault('PROJECT_MISSING', `There is no project folder ${options.project}.`, { cause });
  });
  const [found, store] = await Promise.all([
    executableFiles(project, options.onFile),
    readStore(join(options.home, STORE_NAME)),
  ]);
  return { project, found: { ...found, hash: hashOf(found.hash, options.powers ?? []) }, store };
}

/** Code alone keeps its old hash, so that unchanged code needs no new consent. */
function hashOf(files: string, powers: readonly Power[]): string {
  if (powers.length === 0) return files;
  const all = powers.map(({ kind, setting, does }) => JSON.stringify([kind, setting, does])).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([files, all]))
    .digest('hex');
}

async function readStore(path: string): Promise<TrustStore> {
  const text = await unlessMissing(readFile(path, 'utf8'), null);
  if (text === null) return { format: 1, projects: {} };
  try {
    const store = JSON.parse(text) as TrustStore;
    // A plain object has inherited keys.
    return { format: 1, projects: Object.assign(Object.create(null), store.projects) };
  } catch (cause) {
    throw new Fault('TRUST_STORE_DAMAGED', `The list of trusted projects cannot be read: ${path}.`, {
      hint: 'Remove the file; projects then have to be trusted again.',
      cause,
    });
  }
}

async function save(home: string, projects: TrustStore['projects']): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const folder = await HeldFolder.open(home);
  try {
    const store: TrustStore = { format: 1, projects };
    await writeHeldFile(folder, STORE_NAME, { content: `${JSON.stringify(store, null, 2)}\n`, mode: 0o600 });
  } finally {
    await folder.close();
  }
}

/**
 * All of a project's own code that would run without anybody naming it: everything with its tools, which run in the sandbox but
 * with what they were given, and its workflows written as code, which the engine itself imports with all that they reach.
 */
export async function executableFiles(
  project: string,
  onFile: NonNullable<TrustOptions['onFile']> = () => undefined,
): Promise<ExecutableFiles> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for (const { folder, isWanted } of PLACES) {
    for await (const file of filesIn(project, folder, isWanted)) {
      const { path, content } = file;
      files.push(shownBytes(path));
      onFile(file);
      // Lengths first, so that no two lists of files give the same bytes.
      hash.update(`${path.length}:${path}${content.length}:`, 'latin1').update(content);
    }
  }
  for (const file of reachedOutside(project, files)) {
    const name = relative(project, file);
    files.push(shownPath(name));
    hash.update(`${name.length}:${name}`).update(readFileSync(file));
  }
  return { files, hash: hash.digest('hex') };
}

/** Files that its workflows import from elsewhere. Tools see only files in their folder. */
function reachedOutside(project: string, files: readonly string[]): readonly string[] {
  const known = new Set(files.map((file) => join(project, file)));
  const modules = files.filter((file) => file.startsWith('.troupe/workflows/')).map((file) => join(project, file));
  const reached = new Set(modules.filter((file) => existsSync(file)).flatMap(reachedFiles));
  return [...reached].filter((file) => !known.has(file)).toSorted();
}

export interface ExecutableFiles {
  /** Relative to the project. */
  readonly files: readonly string[];
  /** Of all their paths and contents. */
  readonly hash: string;
}

const PLACES: readonly { readonly folder: string; readonly isWanted: (name: string) => boolean }[] = [
  // A tool may read or import any file in its folder.
  { folder: 'tools', isWanted: () => true },
  { folder: 'workflows', isWanted: (name) => /\.[cm]?[jt]s$/.test(name) },
];

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 2000;

/** Everything in `.troupe/tools` of this folder. */
export const filesOfTools = (project: string): AsyncGenerator<CodeFile> => filesIn(project, 'tools', () => true);

async function* filesIn(project: string, name: string, isWanted: (name: string) => boolean): AsyncGenerator<CodeFile> {
  const start = await openIfThere(project, ['.troupe', name]);
  if (start === null) return;
  let count = 0;
  try {
    for await (const entry of walkFolder(start)) {
      const path = `.troupe/${name}/${toBytePath(entry.names)}`;
      if (entry.kind === 'folder' || !isWanted(path)) continue;
      count += 1;
      if (count > MAX_FILES) throw unfit(path, `there are more than ${MAX_FILES} files`);
      const content = await contentOf(entry, path);
      const { mode = 0 } = (await entry.folder.look(entry.name)) ?? {};
      yield { path, content, isExecutable: (mode & 0o111) !== 0 };
    }
  } catch (error) {
    throw error instanceof PathRefused ? unfit(`.troupe/${name}/${error.path}`, error.message) : error;
  } finally {
    await start.close();
  }
}

async function contentOf({ folder, name, kind }: WalkedEntry, path: string): Promise<Buffer> {
  // What a link leads to can change without the project changing.
  if (kind !== 'file') throw unfit(path, 'it is a link or a special file');
  return readHeldFile(folder, name, { maxBytes: MAX_BYTES });
}

async function openIfThere(root: string, names: readonly string[]): Promise<HeldFolder | null> {
  try {
    return await holdFolder({ root, names });
  } catch (error) {
    if (error instanceof PathRefused && error.reason === 'missing') return null;
    if (error instanceof PathRefused) throw unfit(names.join('/'), error.message);
    throw error;
  }
}

function unfit(path: string, because: string): Fault {
  return new Fault('PROJECT_NOT_TRUSTABLE', `${shownPath(path)} cannot be part of what is trusted: ${because}.`, {
    hint: 'Put plain files there.',
    facts: { path },
  });
}
