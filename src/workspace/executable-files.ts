import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Fault } from '../core/fault.ts';
import { PathRefused, shownPath } from '../lib/confined-path.ts';
import { readHeldFile } from '../lib/held-file.ts';
import { holdFolder } from '../lib/held-folder.ts';
import type { HeldFolder } from '../lib/held-folder.ts';
import { walkFolder } from '../lib/walk-folder.ts';
import type { WalkedEntry } from '../lib/walk-folder.ts';
import { toBytePath } from './byte-path.ts';
import { reachedFiles } from './reached-files.ts';

/**
 * All of a project's own code that would run without anybody naming it: everything with its tools, which run in the sandbox but
 * with what they were given, and its workflows written as code, which the engine itself imports with all that they reach.
 */
export async function executableFiles(project: string): Promise<ExecutableFiles> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for (const { folder, isWanted } of PLACES) {
    for await (const { path, content } of filesIn(project, folder, isWanted)) {
      files.push(shownPath(Buffer.from(path, 'latin1')));
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

/** What its workflows import from elsewhere runs with them. Tools see nothing but what lies beside them. */
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
  // A tool may read or import whatever lies beside it.
  { folder: 'tools', isWanted: () => true },
  { folder: 'workflows', isWanted: (name) => /\.[cm]?[jt]s$/.test(name) },
];

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 2000;

async function* filesIn(project: string, name: string, isWanted: (name: string) => boolean) {
  const start = await openIfThere(project, ['.troupe', name]);
  if (start === null) return;
  let count = 0;
  try {
    for await (const entry of walkFolder(start)) {
      const path = `.troupe/${name}/${toBytePath(entry.names)}`;
      if (entry.kind === 'folder' || !isWanted(path)) continue;
      count += 1;
      if (count > MAX_FILES) throw unfit(path, `there are more than ${MAX_FILES} files`);
      yield { path, content: await contentOf(entry, path) };
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
