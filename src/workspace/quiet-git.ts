import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { runProcess } from '../lib/run-process.ts';
import type { ProcessResult } from '../lib/run-process.ts';

/**
 * Asks git a question in a folder that may belong to anybody: nothing the folder configures gets to run, nothing is
 * fetched, nothing asks back. The user's own configuration is read, for the ignore rules in it. Null when there is no git.
 */
export async function quietGit(cwd: string, words: readonly string[]): Promise<ProcessResult | null> {
  const git = findGit(process.env['PATH'] ?? '');
  if (git === null) return null;
  return runProcess([git, ...SAFE_SETTINGS, ...words], {
    cwd,
    env: gitEnvironment(process.env),
    timeoutMs: 120_000,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    // A namespace of its own would make git see foreign owners, and git starts nothing here.
    containment: 'group',
    staysInGroup: true,
  });
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const SAFE_SETTINGS = [
  '--no-optional-locks',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'protocol.allow=never',
  '-c',
  'safe.directory=*',
  '-c',
  'safe.bareRepository=explicit',
];

function gitEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const kept = ['PATH', 'HOME', 'XDG_CONFIG_HOME'].flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Absolute entries only: a `git` in the present folder is not git. */
export function findGit(path: string): string | null {
  const folders = [
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
    ...path.split(':').filter((entry) => isAbsolute(entry)),
  ];
  return folders.map((folder) => join(folder, 'git')).find((file) => existsSync(file)) ?? null;
}
