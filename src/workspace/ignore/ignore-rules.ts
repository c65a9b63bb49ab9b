import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { IgnoreFile } from './ignore-file.ts';
import { matchesPattern, readPatterns } from './ignore-file.ts';

/**
 * Whether a set of ignore files leaves a path out, as git would say. `files` in the order of their say, the weakest first;
 * of two folders the deeper one always wins. What lies in an ignored folder is ignored, whatever is said of it.
 */
export function createIgnoreRules(files: readonly IgnoreFile[], options: IgnoreOptions = {}): IgnoreRules {
  const byBase = Map.groupBy(
    files
      .toReversed()
      .flatMap(({ base, text }) => readPatterns(fold(text, options)).map((pattern) => ({ base, pattern }))),
    ({ base }) => fold(base, options),
  );
  const folders = new Map<BytePath, boolean>([['', false]]);

  function isIgnored(path: BytePath, isFolder: boolean): boolean {
    return isFolder ? isFolderIgnored(path) : isFolderIgnored(folderOf(path)) || isNamed(path, false);
  }

  /** Asked again for each file in it. */
  function isFolderIgnored(path: BytePath): boolean {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isOut = isFolderIgnored(folderOf(path)) || isNamed(path, true);
    folders.set(path, isOut);
    return isOut;
  }

  function isNamed(whole: BytePath, isFolder: boolean): boolean {
    const path = fold(whole, options);
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const base = path.slice(0, end + 1);
      const below = path.slice(base.length);
      const found = byBase.get(base)?.find(({ pattern }) => matchesPattern(pattern, below, isFolder));
      if (found !== undefined) return !found.pattern.isNegated;
      if (end === -1) return false;
    }
  }

  return { isIgnored };
}

export interface IgnoreRules {
  readonly isIgnored: (path: BytePath, isFolder: boolean) => boolean;
}

export interface IgnoreOptions {
  readonly ignoreCase?: boolean;
}

function fold(text: string, { ignoreCase }: IgnoreOptions): string {
  return ignoreCase === true ? text.replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase()) : text;
}
