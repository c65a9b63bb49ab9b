import { basename, dirname, isAbsolute } from 'node:path';
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

/** Programs installed in the user's home stay usable: what lies beside a `bin` comes along, to be read only. */
export function programFolders({ PATH }: CommandEnvironment): readonly LentFolder[] {
  const folders = PATH.split(':').filter((entry) => !/^\/(?:usr|bin|sbin|opt)(?:\/|$)/.test(entry));
  return folders.map((entry) => ({ path: isInstallation(entry) ? dirname(entry) : entry, access: 'read' }));
}

/** One program, with the installation it is part of. */
export function programFolder(file: string): LentFolder {
  const folder = dirname(file);
  return { path: isInstallation(folder) ? dirname(folder) : file, access: 'read' };
}

/** `…/node/v26/bin` is part of an installation; `~/bin` is not, and lending what is around it would lend the home. */
const isInstallation = (entry: string): boolean =>
  basename(entry) === 'bin' && entry.split('/').length > 5 && !/\/(?:\.local|home\/[^/]+|root)\/bin$/.test(entry);
