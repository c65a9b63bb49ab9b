import { PathRefused, shownPath, splitPath } from '../../../lib/confined-path.ts';
import { withFolder, type HeldFolder } from '../../../lib/held-folder.ts';
import { fileIn, joined, walkFiles } from '../../../tools/folder-access.ts';
import { GlobInvalid, globMatcher } from '../../../tools/glob.ts';

/**
 * The files that are missing in a folder, each with the reason. Links are not followed, so nothing outside counts. An
 * existing name is taken literally, even if it looks like a pattern (`app/[id]/page.tsx`); otherwise it may be a pattern
 * that at least one file must match. A folder counts if it holds a file: an empty one is in no tree.
 */
export async function missingFiles(
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  const patterns = new Map<string, (path: string) => boolean>();
  for (const path of new Set(paths)) {
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
    // Problems of a parent folder are reported; if nothing is there, the file is reported missing.
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

/** The matcher of a pattern, or the mistake in it. */
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

/** One walk for all patterns, which ends when each has a match. */
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
