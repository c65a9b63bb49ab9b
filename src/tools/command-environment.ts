import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * The environment of a command that an agent or a workflow asked for, by allow-list: keys and tokens of the user's own
 * environment are not handed on. Home and temporary folder are private to the run where the run has them, else made for
 * this one command and removed by `dispose`.
 */
export async function commandEnvironment(
  folder: string,
  own: NodeJS.ProcessEnv = process.env,
): Promise<CommandEnvironment> {
  const beside = dirname(folder);
  const [home, temporary] = await Promise.all([
    existingFolder(join(beside, 'home')),
    existingFolder(join(beside, 'tmp')),
  ]);
  const made = home !== null && temporary !== null ? null : await mkdtemp(join(tmpdir(), 'command-'));
  const env = {
    PATH: safePath(own['PATH']),
    HOME: home ?? made ?? '/nonexistent',
    TMPDIR: temporary ?? made ?? '/nonexistent',
    LANG: own['LANG'] ?? 'C.UTF-8',
    ...(own['TZ'] === undefined ? {} : { TZ: own['TZ'] }),
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

async function existingFolder(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true ? path : null;
}
