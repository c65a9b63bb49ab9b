import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../core/fault.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { writeHeldFile } from '../lib/held-file.ts';
import { executableFiles } from './executable-files.ts';
import type { ExecutableFiles } from './executable-files.ts';

/**
 * Whether the user said that this project's own code may run. Kept outside every project, keyed by the project's real path
 * and by the content of all that would run: a file that changes, appears or goes makes it `changed`, and asks again.
 */
export async function trustState(options: TrustOptions): Promise<Trust> {
  const { project, found, store } = await load(options);
  const known = store.projects[project];
  if (known === undefined) return { state: 'untrusted', files: found.files };
  return { state: known.hash === found.hash ? 'trusted' : 'changed', files: found.files };
}

export interface TrustOptions {
  readonly home: string;
  readonly project: string;
}

export interface Trust {
  readonly state: 'trusted' | 'untrusted' | 'changed';
  /** All that would run, relative to the project. */
  readonly files: readonly string[];
}

/** Trusts exactly what is there now. */
export async function trustProject(options: TrustOptions): Promise<Trust> {
  const { project, found, store } = await load(options);
  await save(options.home, { ...store.projects, [project]: { hash: found.hash } });
  return { state: 'trusted', files: found.files };
}

export async function untrustProject(options: TrustOptions): Promise<Trust> {
  const { project, found, store } = await load(options);
  const rest = Object.entries(store.projects).filter(([path]) => path !== project);
  await save(options.home, Object.fromEntries(rest));
  return { state: 'untrusted', files: found.files };
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
  return { project, found, store };
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
