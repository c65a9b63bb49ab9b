import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userConfigFile, type Project } from '../../config/project.ts';
import type { ProjectView } from '../project-trust.ts';

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
  // A file is written anew beside its place and moved there: only its folder hears of that.
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

/** What editors keep beside a file while they write it. */
const isScratch = (name: string): boolean => name.startsWith('.') || name.startsWith('#') || name.endsWith('~');

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A folder may be gone between two looks. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function addFile(path: string, { files }: Taken): void {
  try {
    files.set(path, createHash('sha256').update(readFileSync(path)).digest('hex'));
  } catch (error) {
    // One that cannot be read is there all the same, and whoever checks it tells why.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') files.set(path, 'unreadable');
  }
}
