import { readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isAtOrBelow, systemPaths } from '../declared/system-paths.ts';

/**
 * Folders of this machine that a command may at most pass through: `/srv`, `/opt`, `/home`, and those around what is lent,
 * where other projects may lie. Inside of a box their only names are those that lead to something declared.
 */
export function undeclaredFolders(lent: readonly string[]): readonly string[] {
  const declared = declaredPaths(lent);
  const tops = ['/', '/var'].flatMap((folder) => [folder, ...foldersIn(folder)]);
  const around = [...lent, homedir(), process.cwd()].flatMap(ancestors);
  const inDeclared = (folder: string): boolean => declared.some((path) => isAtOrBelow(folder, path));
  return [...new Set([...tops, ...around, '/etc'])].filter((folder) => !inDeclared(folder));
}

/** What a command sees in these folders beyond what is declared. */
export function undeclaredNames(seen: SeenFolders, lent: readonly string[]): readonly string[] {
  const declared = declaredPaths(lent);
  return Object.entries(seen).flatMap(([folder, names]) => {
    const below = declared.filter((path) => isAtOrBelow(path, folder));
    const onTheWay = new Set(below.map((path) => relative(folder, path).split('/')[0]));
    return names.filter((name) => !onTheWay.has(name)).map((name) => join(folder, name));
  });
}

/** Names by folder. */
export type SeenFolders = Readonly<Record<string, readonly string[]>>;

const MADE = ['/dev', '/proc', '/tmp', '/var/tmp'];

const declaredPaths = (lent: readonly string[]): readonly string[] =>
  [...systemPaths().map(({ path }) => path), ...MADE, ...lent, ...lent.map((path) => realpathSync(path))].concat(
    process.execPath,
  );

const ancestors = (path: string): readonly string[] =>
  path === '/' ? [] : [dirname(path), ...ancestors(dirname(path))];

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
