import { createHash } from 'node:crypto';
import { existsSync, type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Project, userConfigFile } from '../../config/project.ts';
import type { ProjectView } from '../project-trust.ts';
import { orElse } from '../../../lib/or-else.ts';
import { isFile } from '../project-roles.ts';
import { errorCode } from '../../../lib/held-folder.ts';

/** The files whose changes matter, each with what is in it, and the folders in which they are or may come to be. */
export interface WatchedFiles {
  /** Hashes of their content, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/** Those of the project: settings, workflows, roles, types of agents and their words. And whatever else was named. */
export function watchedFiles({ project, caller }: ProjectView, named: readonly string[]): WatchedFiles {
  const files = new Map<string, string>();
  const folders = new Set<string>();
  for (const place of placesOf(project, userConfigFile(caller.environment), named)) take(place, { files, folders });
  return { files, folders: [...folders] };
}

interface Place {
  readonly path: string;
  /** Which files of a folder count. */
  readonly ending: RegExp;
  /** How many folders deep. */
  readonly depth: number;
}

const CONFIG = /^config\.(?:ya?ml|json)$/;
const WORKFLOW = /(?<!\.test|\.d)\.(?:json|ya?ml|[cm]?[jt]s)$/i;
const DOCUMENT = /\.(?:json|ya?ml)$/i;
const WORDS = /\.(?:json|ya?ml|md)$/i;

function placesOf({ folder, config }: Project, userConfig: string, named: readonly string[]): readonly Place[] {
  return [
    { path: folder, ending: CONFIG, depth: 0 },
    { path: userConfig, ending: CONFIG, depth: 0 },
    { path: join(folder, 'workflows'), ending: WORKFLOW, depth: 0 },
    ...[...config.workflows, ...named].map((path) => ({ path, ending: DOCUMENT, depth: 0 })),
    ...['roles', 'agent-types', 'prompts'].map((name) => ({ path: join(folder, name), ending: WORDS, depth: 2 })),
    ...config.roles.map((path) => ({ path, ending: WORDS, depth: 2 })),
  ];
}

interface Taken {
  readonly files: Map<string, string>;
  readonly folders: Set<string>;
}

function take(place: Place, taken: Taken): void {
  const { path } = place;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return takeFolder(place, taken);
  // Editors write a new file and move it into place: only the folder's watcher sees that.
  taken.folders.add(dirname(path));
  if (found?.isFile() === true) addFile(path, taken);
}

function takeFolder({ path, ending, depth }: Place, taken: Taken): void {
  taken.folders.add(path);
  for (const entry of entriesOf(path)) {
    const inside = join(path, entry.name);
    if (isScratch(entry.name)) continue;
    if (entry.isDirectory()) {
      if (depth > 0) takeFolder({ path: inside, ending, depth: depth - 1 }, taken);
    } else if (ending.test(entry.name) && isFile(inside)) addFile(inside, taken);
  }
}

/** Temporary files of editors. */
const isScratch = (name: string): boolean => name.startsWith('.') || name.startsWith('#') || name.endsWith('~');

/** A folder may be gone between two looks. */
const entriesOf = (folder: string) => orElse(() => readdirSync(folder, { withFileTypes: true }), []);

function addFile(path: string, { files }: Taken): void {
  try {
    files.set(path, createHash('sha256').update(readFileSync(path)).digest('hex'));
  } catch (error) {
    // An unreadable file still exists; checking it reports why it cannot be read.
    if (errorCode(error) !== 'ENOENT') files.set(path, 'unreadable');
  }
}

/** Hears of changes in folders. Nothing is looked at again and again: the system tells. */
export interface FolderWatch {
  /** From now on these, and no others. Of one that is not there the nearest one above it is watched until it is. */
  follow(folders: readonly string[]): void;
  /** Resolves when something has changed since the last time, and then been quiet for a moment. */
  next(): Promise<void>;
  close(): void;
}

/** Editors write a file in several steps: aside, over, and the rights last. */
const QUIET_MS = 80;
/** Continuous writes must not delay the report for ever. */
const LONGEST_MS = 1000;

export function watchFolders(): FolderWatch {
  const watchers = new Map<string, Watcher>();
  let wake: () => void = () => undefined;
  let isPending = false;
  let lastAt = 0;
  const heard = (): void => {
    isPending = true;
    lastAt = Date.now();
    wake();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  return {
    follow(folders) {
      const wanted = new Map(folders.map(nearest).map((folder) => [folder, identityOf(folder)]));
      // A folder that was removed and made again is new to the system: the old watcher never fires for it.
      for (const [folder, { identity }] of watchers) if (wanted.get(folder) !== identity) drop(folder);
      for (const [folder, identity] of wanted) {
        const watcher = watchers.has(folder) ? null : tryWatch(folder, heard);
        if (watcher === null) continue;
        watchers.set(folder, { watcher, identity });
        watcher.on('error', () => (drop(folder), heard()));
      }
    },
    async next() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (!isPending) await promise;
      const first = Date.now();
      while (Date.now() - lastAt < QUIET_MS && Date.now() - first < LONGEST_MS) await pause(QUIET_MS);
      isPending = false;
    },
    close() {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}

interface Watcher {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

function identityOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '' : `${found.dev}/${found.ino}/${found.birthtimeNs}`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

function nearest(folder: string): string {
  let candidate = folder;
  while (!existsSync(candidate) && dirname(candidate) !== candidate) candidate = dirname(candidate);
  return candidate;
}

/** It may be gone by now, or there may be too many: then it is tried again at the next change. */
const tryWatch = (folder: string, heard: () => void): FSWatcher | null => orElse(() => watch(folder, heard), null);
