import { PathRefused, shownPath, splitPath } from '../../../lib/confined-path.ts';
import { withFolder, type HeldFolder } from '../../../lib/held-folder.ts';
import { fileIn, joined, walkFiles } from '../../../tools/folder-access.ts';
import { GlobInvalid, globMatcher } from '../../../tools/glob.ts';

/**
 * Which of these files are not in a folder, each with why, in words. No link is followed, so nothing outside counts. A name
 * that is there as it is written is taken so, whatever it looks like (`app/[id]/page.tsx`); else it may be a pattern that one
 * file has to fit. A folder counts when there is a file in it: an empty one is in no tree.
 */
export async function missingFiles(
  folder: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  const patterns = new Map<string, (path: string) => boolean>();
  for (const path of new Set(wanted)) {
    const why = await whyNot(folder, path, signal);
    if (why === null) continue;
    const matcher = /[*?[{]/.test(path) ? matcherOf(path) : null;
    if (typeof matcher === 'function') patterns.set(path, matcher);
    else missing.set(path, matcher ?? why);
  }
  for (const path of await unmatched(folder, patterns, signal)) missing.set(path, `No file fits ${shownPath(path)}.`);
  return missing;
}

async function whyNot(root: string, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { parents, name } = fileIn(splitPath(path), path);
    return await withFolder({ root, names: parents }, (folder) => whyNotIn(folder, name, signal));
  } catch (error) {
    // Of a folder on the way it is said what is wrong with it; that nothing is there is said of the file.
    if (!(error instanceof PathRefused)) throw error;
    return error.reason === 'missing' || error.reason === 'not-a-folder' ? gone(path) : sentence(error, path);
  }
}

async function whyNotIn(folder: HeldFolder, name: string, signal: AbortSignal): Promise<string | null> {
  const found = await folder.look(name);
  const label = shownPath(folder.labelOf(name));
  if (found === null) return gone(folder.labelOf(name));
  if (found.isFile()) return null;
  if (found.isSymbolicLink()) return `${label} is a symbolic link, which is not followed.`;
  if (!found.isDirectory()) return `${label} is not a regular file.`;
  return (await hasFile(folder, name, signal)) ? null : `${label} is a folder without files.`;
}

async function hasFile(folder: HeldFolder, name: string, signal: AbortSignal): Promise<boolean> {
  const child = await folder.child(name);
  try {
    for await (const _file of walkFiles(child, signal)) return true;
    return false;
  } finally {
    await child.close();
  }
}

const gone = (path: string): string => `${shownPath(path)} does not exist.`;

const sentence = (error: PathRefused, path: string): string =>
  error.path === path ? error.message : `${shownPath(path)} cannot be looked at: ${error.message}`;

/** How to tell which files fit, or what is wrong with the pattern. */
function matcherOf(pattern: string): ((path: string) => boolean) | string {
  try {
    splitPath(pattern);
    return globMatcher(pattern);
  } catch (error) {
    if (error instanceof GlobInvalid) return `${shownPath(pattern)} cannot be used: ${error.message}`;
    if (error instanceof PathRefused) return error.message;
    throw error;
  }
}

/** One walk for all of them, which ends when each has its file. */
async function unmatched(
  folder: string,
  patterns: ReadonlyMap<string, (path: string) => boolean>,
  signal: AbortSignal,
): Promise<Iterable<string>> {
  const open = new Map(patterns);
  if (open.size === 0) return [];
  await withFolder({ root: folder, names: [] }, async (root) => {
    for await (const { names } of walkFiles(root, signal)) {
      const path = joined(names).toString('utf8');
      for (const [pattern, matches] of open) if (matches(path)) open.delete(pattern);
      if (open.size === 0) break;
    }
  });
  return open.keys();
}
