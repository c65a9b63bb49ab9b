import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { orElse } from '../lib/or-else.ts';
import type { LentFolder } from '../sandbox/port.ts';

/**
 * The environment of every program that runs for an agent or a workflow, by allow-list: keys and tokens of the user's own
 * environment are not handed on. Home and temporary folder are the workspace's.
 */
export function commandEnvironment({ PATH, LANG, TZ }: NodeJS.ProcessEnv): CommandEnvironment {
  return {
    PATH: safePath(PATH),
    LANG: LANG ?? 'C.UTF-8',
    ...(TZ === undefined ? {} : { TZ }),
    ...FIXED,
  };
}

export type CommandEnvironment = Readonly<Record<string, string>> & { readonly PATH: string };

/** No person answers prompts, scrolls pagers or sees colours; the user's git settings do not apply. */
const FIXED = {
  SHELL: '/bin/sh',
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** A relative entry would let a file of the project pass for a program. */
function safePath(path: string | undefined): string {
  const entries = (path ?? '').split(':').filter((entry) => isAbsolute(entry));
  return entries.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : entries.join(':');
}

/**
 * Programs outside of the system's folders, to be read only: those on the path, and those that links on the path lead to. Each
 * with the installation it is part of, or alone. Never what is to be hidden, nor what is around it.
 */
export function programFolders({ PATH }: CommandEnvironment, hidden: readonly string[]): readonly LentFolder[] {
  const entries = PATH.split(':');
  const own = entries.filter((entry) => !isOfSystem(entry));
  const linked = [...new Set(entries.flatMap(linkedPrograms))];
  const folders = [
    ...own.flatMap((entry) => lent([...installationOf(entry), entry], hidden)),
    ...linked.flatMap((file) => programFolder(file, hidden)),
  ];
  return [...new Map(folders.map((folder) => [folder.path, folder])).values()];
}

/** Shown in every box. */
const isOfSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|lib)(?:\/|$)/.test(path);

/** Targets of links in a folder of programs, outside of it and of the system. Cached until the folder changes. */
function linkedPrograms(entry: string): readonly string[] {
  const changed = changedAt(entry);
  if (changed === null || basename(entry) === '.bin') return [];
  const known = linksIn.get(entry);
  if (known?.changed === changed) return known.targets;
  const around = realPath(installationOf(entry)[0] ?? entry);
  const targets = linkNames(entry)
    .map((name) => realPath(join(entry, name)))
    .filter((target) => !isOfSystem(target) && !isAround(around, target) && existsSync(target))
    .slice(0, MAX_LINKED);
  linksIn.set(entry, { changed, targets });
  return targets;
}

/** Null for a folder that is missing, and for one that this user may not look into: root's path may be inherited. */
function changedAt(folder: string): number | null {
  return orElse(() => statSync(folder).mtimeMs, null);
}

const linksIn = new Map<string, { readonly changed: number; readonly targets: readonly string[] }>();

/** Each costs a mount. */
const MAX_LINKED = 32;

function linkNames(folder: string): readonly string[] {
  return orElse(
    () => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isSymbolicLink() ? entry.name : [])),
    [],
  );
}

/** One program, with the installation it is part of. */
export function programFolder(file: string, hidden: readonly string[]): readonly LentFolder[] {
  return lent([...installationOf(dirname(file)), file], hidden);
}

/** The first of these that may be lent. */
export function lent(paths: readonly string[], hidden: readonly string[]): readonly LentFolder[] {
  const secret = [...hidden, homedir()].map(realPath);
  const path = paths.find((each) => !secret.some((other) => isAround(realPath(each), other)));
  return path === undefined ? [] : [{ path, access: 'read' }];
}

/**
 * The folder around a `bin` if it is an installation, such as `…/node/v26/bin`. `~/bin` is none, nor is `~/.local/bin`, which lies
 * next to the data of all other programs; and a project with a `bin` is a project. The programs in `node_modules/.bin` are links to
 * the packages around it.
 */
function installationOf(entry: string): readonly string[] {
  const around = dirname(entry);
  if (basename(entry) === '.bin' && basename(around) === 'node_modules') return [around];
  if (basename(entry) !== 'bin' || /\/(?:\.local|home\/[^/]+|root)$/.test(around)) return [];
  const has = (name: string): boolean => existsSync(join(around, name));
  return ['lib', 'libexec', 'share'].some(has) && !['.git', 'package.json'].some(has) ? [around] : [];
}

/** Links count as what they lead to: by another name it is the same folder. */
function realPath(path: string): string {
  return orElse(() => realpathSync.native(path), resolve(path));
}

function isAround(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way !== '..' && !way.startsWith('../');
}
