import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedProject } from './projects.ts';
import type { Result, Running, Sandbox } from './sandbox.ts';

/** What the agent of the two-step workflow does: first it changes one file and makes another, then it goes on. */
export const WRITING = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: write_file, arguments: { path: src/made.txt, content: "made by the run\\n" } }
          - { name: edit_file, arguments: { path: src/kept.txt, old: two, new: TWO } }
      - say: Written.
  - when: { state: again }
    steps:
      - tools:
          - { name: write_file, arguments: { path: src/made.txt, content: "made by the run\\nand changed again\\n" } }
      - say: Done.
`;

export const KEPT = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

/** A project in a plain folder whose agent writes files. */
export function writingProject(files: Readonly<Record<string, string>> = {}): Sandbox {
  return scriptedProject({ 'answers.yaml': WRITING, 'src/kept.txt': KEPT, 'src/other.txt': 'other\n', ...files });
}

/** The same as a git repository with one commit, a hook that must never run, and work that is not committed. */
export function gitProject(files: Readonly<Record<string, string>> = {}): Sandbox {
  const sandbox = writingProject(files);
  git(sandbox, 'init', '-q', '-b', 'trunk');
  git(sandbox, 'config', 'user.name', 'Ada');
  git(sandbox, 'config', 'user.email', 'ada@example.org');
  git(sandbox, 'add', '.');
  git(sandbox, 'commit', '-q', '-m', 'first');
  for (const hook of ['reference-transaction', 'post-index-change', 'pre-commit', 'post-checkout']) {
    const file = sandbox.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${sandbox.home}/hook-ran"\n`);
    execFileSync('chmod', ['+x', file]);
  }
  sandbox.write('src/other.txt', 'other, not committed\n');
  sandbox.write('untracked.txt', 'mine\n');
  return sandbox;
}

export function git(sandbox: Sandbox, ...words: readonly string[]): string {
  return execFileSync('git', [...words], {
    cwd: sandbox.project,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: sandbox.home, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** Everything of a repository that must stay as it is: HEAD, index, settings, hooks, refs but Troupe's own, work tree. */
export function repositoryState(sandbox: Sandbox): Readonly<Record<string, string>> {
  const refs = git(sandbox, 'for-each-ref', '--format=%(refname) %(objectname)')
    .split('\n')
    .filter((line) => !line.startsWith('refs/heads/troupe/'));
  const parts = ['HEAD', 'index', 'config', 'info', 'hooks', 'logs/HEAD'];
  const inGit = parts.map((part) => [part, treeHash(join(sandbox.project, '.git', part))] as const);
  return { ...Object.fromEntries(inGit), refs: refs.join('\n'), files: treeHash(sandbox.project) };
}

/** One hash over every name, byte, mode and link below a path; what git keeps is left out. */
export function treeHash(path: string): string {
  const hash = createHash('sha256');
  const add = (at: string, name: string): void => {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return;
    hash.update(`${name}\0${(stats.mode & 0o177777).toString(8)}\0`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(at));
    else if (stats.isFile()) hash.update(readFileSync(at));
    else {
      for (const one of readdirSync(at).sort()) if (one !== '.git') add(join(at, one), `${name}/${one}`);
    }
  };
  add(path, '');
  return hash.digest('hex');
}

/** A command for an agent that ends when somebody puts the file `go` into its folder. */
export const WAIT = 'until test -e go; do sleep 0.05; done; rm go';

/** Reads lines of a program that prints JSON until one is of this kind. */
export async function lineOf(running: Running, kind: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { value, done } = await running.lines.next();
    if (done === true) throw new Error(`It ended before ${kind}: ${(await running.ended).stderr}`);
    const line = JSON.parse(value) as Readonly<Record<string, unknown>>;
    if (line['kind'] === kind) return line;
  }
}

/** Runs the workflow that writes, and gives the id of the run. */
export async function writingRun(sandbox: Sandbox, ...words: readonly string[]): Promise<Written> {
  const result = await sandbox.troupe(['run', 'two_steps', 'Write it', '--json', ...words]);
  if (result.stdout === '') throw new Error(result.stderr);
  const [first] = result.stdout.split('\n');
  const { run } = JSON.parse(first ?? '{}') as { readonly run: string };
  return { ...result, run };
}

export interface Written extends Result {
  readonly run: string;
}
