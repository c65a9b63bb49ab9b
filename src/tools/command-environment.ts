import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
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

/** Nobody is there to answer a prompt, scroll a pager or admire colours; and nothing of the user's own git settings applies. */
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
 * Programs installed in the user's home stay usable, to be read only: with the installation they are part of, or each folder
 * alone. Never what is to be hidden, nor what is around it.
 */
export function programFolders({ PATH }: CommandEnvironment, hidden: readonly string[]): readonly LentFolder[] {
  const entries = PATH.split(':').filter((entry) => !/^\/(?:usr|bin|sbin|opt)(?:\/|$)/.test(entry));
  return entries.flatMap((entry) => lent([...installationOf(entry), entry], hidden));
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
 * The folder around a `bin`, where it is one that programs are installed in: `…/node/v26/bin` is part of such a one. `~/bin` is
 * not, nor is `~/.local/bin`, beside which lies what all other programs keep; and a project with a `bin` is a project.
 */
function installationOf(entry: string): readonly string[] {
  const around = dirname(entry);
  if (basename(entry) !== 'bin' || /\/(?:\.local|home\/[^/]+|root)$/.test(around)) return [];
  const has = (name: string): boolean => existsSync(join(around, name));
  return ['lib', 'libexec', 'share'].some(has) && !['.git', 'package.json'].some(has) ? [around] : [];
}

/** Links count as what they lead to: by another name it is the same folder. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function isAround(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way !== '..' && !way.startsWith('../');
}
