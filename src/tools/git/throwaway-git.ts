import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withFolder } from '../../lib/held-folder.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import type { GitService } from '../port.ts';
import { copyObjects } from './copy-objects.ts';
import { copyRefs } from './copy-refs.ts';
import { plainConfig } from './plain-config.ts';
import { readIfThere } from './read-if-there.ts';

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
