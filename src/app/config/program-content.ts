import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { codeHash } from '../../workspace/reached-files.ts';

/**
 * Programs and scripts that come with the project can change with it: what those in a command are now is part of what is agreed
 * to. What is the machine's own is known by its path.
 */
export function contentOf(command: readonly string[], root: string): string {
  const own = command.map((word) => resolve(root, word)).filter((path) => isFile(path) && isInside(path, root));
  const hashes = own.map((path) => codeHash(path).hash);
  return hashes.length === 0 ? '' : ` (sha256 ${hashes.join(', ')})`;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function isInside(path: string, root: string): boolean {
  return [path, realpathSync(path)].some((each) => {
    const way = relative(root, each);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  });
}
