import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';

/**
 * The environment of a command that an agent or a workflow asked for, by allow-list: keys and tokens of the user's own
 * environment are not handed on. Home and temporary folder are the private ones of the run where the folder has them beside
 * it, else made for this one command and removed by `dispose`.
 */
export async function commandEnvironment(folder: string): Promise<CommandEnvironment> {
  const beside = dirname(folder);
  const own = basename(folder) === 'work' && (await areFolders([join(beside, 'home'), join(beside, 'tmp')]));
  const made = own ? null : await mkdtemp(join(tmpdir(), 'command-'));
  const { PATH, LANG, TZ } = process.env;
  const env = {
    PATH: safePath(PATH),
    HOME: made ?? join(beside, 'home'),
    TMPDIR: made ?? join(beside, 'tmp'),
    LANG: LANG ?? 'C.UTF-8',
    ...(TZ === undefined ? {} : { TZ }),
    ...FIXED,
    // The folder is no repository; one that happens to lie above it must not be taken for its own.
    GIT_CEILING_DIRECTORIES: beside,
  };
  return { env, dispose: () => (made === null ? Promise.resolve() : rm(made, { recursive: true, force: true })) };
}

export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>;
  readonly dispose: () => Promise<void>;
}

/** Nobody is there to answer a prompt, scroll a pager or admire colours. */
const FIXED = {
  SHELL: '/bin/sh',
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
};

/** A relative entry would let a file of the project pass for a program. */
function safePath(path: string | undefined): string {
  const entries = (path ?? '').split(':').filter((entry) => isAbsolute(entry));
  return entries.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : entries.join(':');
}

async function areFolders(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return found.every((stats) => stats?.isDirectory() === true);
}
