import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../core/fault.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { writeHeldFile } from '../lib/held-file.ts';
import { executableFiles } from './executable-files.ts';
import type { ExecutableFiles } from './executable-files.ts';

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
}

/** Something that a setting of a project does with what is the user's. */
export interface Power {
  readonly kind: 'command' | 'address' | 'code' | 'folder';
  /** Where it stands, such as `models.base`. */
  readonly setting: string;
  /** What it does, whole: the command, the address, the names of keys. It is what is agreed to. */
  readonly does: string;
}

export interface Trust {
  readonly state: 'trusted' | 'untrusted' | 'changed';
  /** All code that would run, relative to the project. */
  readonly files: readonly string[];
  readonly powers: readonly Power[];
  /** Of all of it: whoever agrees to it agrees to this. */
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
  const [found, store] = await Promise.all([executableFiles(project), readStore(join(options.home, STORE_NAME))]);
  return { project, found: { ...found, hash: hashOf(found.hash, options.powers ?? []) }, store };
}

/** Code alone keeps the hash it always had, so that nobody is asked again for what has not changed. */
function hashOf(files: string, powers: readonly Power[]): string {
  if (powers.length === 0) return files;
  const all = powers.map(({ kind, setting, does }) => JSON.stringify([kind, setting, does])).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([files, all]))
    .digest('hex');
}

async function readStore(path: string): Promise<TrustStore> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { format: 1, projects: {} };
  try {
    const store = JSON.parse(text) as TrustStore;
    // A plain object would answer for keys nobody wrote.
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
