import { runProcess } from '../../lib/run-process.ts';
import type { ProcessResult } from '../../lib/run-process.ts';
import { findGit } from '../quiet-git.ts';
import type { TreeStore } from './port.ts';

/**
 * Git's own reading and merging on what a store holds. Git sees the store and nothing else: no work tree, no configuration
 * but its own, no hook, filter, driver or network. Null when there is no git.
 */
export async function gitOnStore(
  store: Pick<TreeStore, 'gitDir'>,
  words: readonly string[],
  options: GitOnStoreOptions = {},
): Promise<ProcessResult | null> {
  const git = findGit(process.env['PATH'] ?? '');
  if (git === null) return null;
  return runProcess([git, ...SETTINGS.flatMap((setting) => ['-c', setting]), ...words], {
    cwd: store.gitDir,
    env: { ...ENVIRONMENT, GIT_DIR: store.gitDir },
    timeoutMs: options.timeoutMs ?? 120_000,
    maxOutputBytes: options.maxOutputBytes ?? 64 * 1024 * 1024,
    // A namespace of its own would make git see foreign owners, and git starts nothing here.
    containment: 'group',
    staysInGroup: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

export interface GitOnStoreOptions {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  // Names are kept as they are, whatever another system would make of them.
  'core.protectHFS=false',
  'core.protectNTFS=false',
  'core.quotePath=false',
  // Larger files are streamed, and compared as bytes.
  'core.bigFileThreshold=16m',
  'protocol.allow=never',
  'safe.directory=*',
  'safe.bareRepository=explicit',
  'gc.auto=0',
  'maintenance.auto=false',
];

const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_PAGER: 'cat',
} as const;
