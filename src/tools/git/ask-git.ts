import { resolve } from 'node:path';
import { runProcess, type ProcessResult } from '../../lib/run-process.ts';
import { BIG_FILES, findGit, SAFE_GIT } from '../../workspace/git.ts';
import { CANCELLED } from '../define-tool.ts';
import type { ToolContext } from '../port.ts';
import { makeThrowawayGit, type ThrowawayGit } from './throwaway-git.ts';

/** Asks git a question about the workspace; rejects when git cannot answer. */
export type AskGit = (args: readonly string[], options?: { readonly maxBytes?: number }) => Promise<ProcessResult>;

export const NO_REPOSITORY = 'This folder is not a git repository.';

/**
 * Lets `use` ask questions about the repository in the agent's folder. Git never sees the agent's own git folder, only a
 * throw-away copy of the data in it; see `makeThrowawayGit`. Null when there is no repository.
 */
export async function withRepository<T>(context: ToolContext, use: (ask: AskGit) => Promise<T>): Promise<T | null> {
  const { folder, signal, services } = context;
  const program = findGit();
  if (program === null) throw new Error('git is not installed.');
  const git = await makeThrowawayGit({ folder, service: services?.git ?? {}, signal });
  if (git === null) return null;
  const ask: AskGit = async (args, options) =>
    checked(await start(context, git, { argv: [program, ...SETTINGS, ...args], maxBytes: options?.maxBytes }), git);
  try {
    refuseOutsidePaths(await ask(['ls-files', '-z', '--full-name'], { maxBytes: MAX_LIST_BYTES }));
    return await use(ask);
  } finally {
    await git.dispose();
  }
}

const SETTINGS: readonly string[] = [
  ...SAFE_GIT,
  ...['core.excludesFile=/dev/null', 'core.attributesFile=/dev/null', BIG_FILES, 'log.mailmap=false'].flatMap(
    (setting) => ['-c', setting],
  ),
];

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 100_000;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

interface Start {
  readonly argv: readonly string[];
  readonly maxBytes: number | undefined;
}

function start(context: ToolContext, git: ThrowawayGit, { argv, maxBytes }: Start): Promise<ProcessResult> {
  const folder = resolve(context.folder);
  const run = context.services?.git?.run ?? runProcess;
  return run(argv, {
    cwd: folder,
    env: { ...ENVIRONMENT, GIT_DIR: git.directory, GIT_WORK_TREE: folder },
    signal: context.signal,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: maxBytes ?? MAX_OUTPUT_BYTES,
    // Its own namespace would make git see foreign owners, and git starts nothing here.
    containment: 'group',
    readable: [folder, ...git.borrowed],
    writable: git.directory,
  });
}

/** Nothing of the user's or the system's settings, no replaced objects, no fetching, names taken literally. */
const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
};

function checked(result: ProcessResult, git: ThrowawayGit): ProcessResult {
  if (result.cancelled) throw new Error(CANCELLED);
  if (result.timedOut) throw new Error(`git was stopped after ${TIMEOUT_MS / 1000} s.`);
  if (result.exitCode === 0) return result;
  const said = result.startFailure ?? result.errorOutput.trim().split('\n').slice(-3).join('\n');
  throw new GitFailed(said.replaceAll(git.directory, '.git').slice(0, 1000));
}

export class GitFailed extends Error {
  override readonly name = 'GitFailed';

  constructor(said: string) {
    super(`git could not answer: ${said === '' ? 'it gave no reason' : said}`);
  }
}

/** An index written by hand can name files outside the folder, and git would read them. */
function refuseOutsidePaths({ rawOutput, truncated }: ProcessResult): void {
  if (truncated) throw new Error('The repository has too many files to be looked at.');
  const isOutside = /(?:^|\0)\/|(?:^|[\0/])\.\.?(?:[\0/]|$)|\/\//.test(rawOutput.toString('latin1'));
  if (isOutside) throw new Error('The index of the repository is damaged: it names files outside the folder.');
}
