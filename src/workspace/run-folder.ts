import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../core/fault.ts';
import { copyTree } from './copy-tree.ts';
import type { CopyLimits } from './copy-tree.ts';
import type { Manifest } from './manifest.ts';
import { writeManifest } from './manifest.ts';
import { projectFiles } from './project-files.ts';
import { runPlace } from './run-place.ts';
import type { RunPlace } from './run-place.ts';

/**
 * The folder the agents of a root run work in: a copy of the project, made once. The copy grows under another name and is
 * renamed when it is complete, so a folder that is there is whole. The project itself is only read.
 */
export async function prepareRunFolder(options: RunFolderOptions): Promise<string> {
  const place = runPlace(options.home, options.run);
  const making = beingMade.get(place.work) ?? makeOnce(place, options);
  beingMade.set(place.work, making);
  try {
    await making;
    return place.work;
  } finally {
    beingMade.delete(place.work);
  }
}

export interface RunFolderOptions {
  /** Where the engine keeps its files; outside every folder an agent may write to. */
  readonly home: string;
  readonly run: string;
  /** May be empty or missing: the run then begins with nothing. */
  readonly project: string;
  readonly limits?: CopyLimits;
}

const DEFAULT_LIMITS: CopyLimits = { maxFiles: 50_000, maxBytes: 2 * 1024 ** 3 };

/** Two who ask at the same time get the same folder. */
const beingMade = new Map<string, Promise<void>>();

async function makeOnce(place: RunPlace, options: RunFolderOptions): Promise<void> {
  if (await isFolder(place.work)) return;
  await mkdir(place.base, { recursive: true, mode: 0o700 });
  await removeUnfinished(place.base);
  await Promise.all([mkdir(place.home, { recursive: true }), mkdir(place.temporary, { recursive: true })]);
  const unfinished = join(place.base, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  await mkdir(unfinished);
  try {
    await writeManifest(place.manifest, await seed(unfinished, options));
    await rename(unfinished, place.work);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const UNFINISHED = 'work-unfinished-';

async function removeUnfinished(base: string): Promise<void> {
  const names = await readdir(base);
  const left = names.filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(left.map((name) => rm(join(base, name), { recursive: true, force: true })));
}

async function seed(target: string, options: RunFolderOptions): Promise<Manifest> {
  const project = await stat(options.project).catch(() => null);
  if (project === null) return { source: 'none', entries: new Map(), skipped: [] };
  if (!project.isDirectory()) {
    throw new Fault('PROJECT_NOT_A_FOLDER', `The project ${options.project} is not a folder.`, {
      hint: 'Name the folder that holds the project.',
    });
  }
  const { source, paths } = await projectFiles(options.project, { home: options.home });
  const copied = await copyTree(paths, { from: options.project, to: target, limits: options.limits ?? DEFAULT_LIMITS });
  return { source, ...copied };
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true;
}
