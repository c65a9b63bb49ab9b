import { join, resolve } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { BytePath } from '../byte-path.ts';
import { gitOutput, runGit } from './git-plumbing.ts';

/** The user's repository, only looked at: where its parts are, what is checked out, who the user is. */
export interface UserRepository {
  readonly project: string;
  readonly gitDir: string;
  readonly objects: string;
  readonly format: string;
  /** The project's folder inside the repository, with a slash at the end; empty at its top. */
  readonly prefix: BytePath;
  /** The commit that is checked out; null before the first. */
  readonly head: string | null;
  readonly identity: { readonly name: string; readonly email: string };
}

export async function openUserRepository(project: string): Promise<UserRepository> {
  const ask = async (...words: string[]) => {
    const answer = await runGit(words, { cwd: project, config: 'user' });
    return answer.exitCode === 0 ? answer.output.toString('latin1').replace(/\n$/, '') : null;
  };
  if ((await ask('rev-parse', '--is-inside-work-tree')) !== 'true') throw notARepository(project);
  const gitDir = toPath(await ask('rev-parse', '--absolute-git-dir'));
  const objects = resolve(project, toPath(await ask('rev-parse', '--git-path', 'objects')));
  return {
    project,
    gitDir,
    objects,
    format: (await ask('rev-parse', '--show-object-format')) ?? 'sha1',
    prefix: (await ask('rev-parse', '--show-prefix')) ?? '',
    head: (await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')) ?? (await noCommitYet(gitDir)),
    identity: {
      name: asText(await ask('config', '--get', 'user.name')) || 'Troupe',
      email: asText(await ask('config', '--get', 'user.email')) || 'troupe@localhost.invalid',
    },
  };
}

/** Settings that decide in what form git keeps a file, and the names of the outside programs that would take part. */
export async function conversionSettings({ project }: UserRepository): Promise<ConversionSettings> {
  const call = { cwd: project, config: 'user' } as const;
  const wanted = String.raw`^(core\.(autocrlf|eol|attributesfile)|filter\..*\.(clean|process))$`;
  const { output } = await runGit(['config', '-z', '--get-regexp', wanted], call);
  const pairs = output.toString('latin1').split('\0').filter(Boolean).map(toPair);
  const values = new Map(pairs);
  const filters = pairs.map(([key]) => /^filter\.(.*)\.(?:clean|process)$/s.exec(key)?.[1]);
  const file = await runGit(['config', '--type=path', '--get', 'core.attributesfile'], call);
  return {
    autocrlf: values.get('core.autocrlf') ?? 'false',
    eol: values.get('core.eol') ?? 'native',
    attributesFile: file.exitCode === 0 ? toPath(file.output.toString('latin1').trimEnd()) : defaultAttributes(),
    filters: new Set(filters.filter((name) => name !== undefined)),
    infoAttributes: resolve(
      project,
      toPath(String(await gitOutput(['rev-parse', '--git-path', 'info/attributes'], call)).trimEnd()),
    ),
  };
}

export interface ConversionSettings {
  readonly autocrlf: string;
  readonly eol: string;
  readonly attributesFile: string;
  readonly infoAttributes: string;
  readonly filters: ReadonlySet<string>;
}

function toPair(line: string): readonly [string, string] {
  const at = line.indexOf('\n');
  // A key without a value is true.
  return at === -1 ? [line, 'true'] : [line.slice(0, at), line.slice(at + 1)];
}

function defaultAttributes(): string {
  const config = process.env['XDG_CONFIG_HOME'] ?? join(process.env['HOME'] ?? '/nonexistent', '.config');
  return join(config, 'git', 'attributes');
}

/** Fine when HEAD names a branch that does not exist yet; otherwise the repository is damaged, and guessing would make it worse. */
async function noCommitYet(gitDir: string): Promise<null> {
  const call = { cwd: gitDir, env: { GIT_DIR: gitDir } };
  const branch = await runGit(['symbolic-ref', '--quiet', 'HEAD'], call);
  const name = branch.output.toString('utf8').trim();
  const isThere = await runGit(['rev-parse', '--verify', '--quiet', name], call);
  if (branch.exitCode === 0 && name.startsWith('refs/heads/') && isThere.exitCode !== 0) return null;
  throw new Fault('REPOSITORY_DAMAGED', `HEAD of ${shownPath(gitDir)} leads to no commit.`, {
    hint: 'See what `git fsck` says. The result can be had as a patch meanwhile.',
  });
}

function notARepository(project: string): Fault {
  return new Fault('NOT_A_REPOSITORY', `${shownPath(project)} is not in a git repository that git can read.`, {
    hint: 'Take the result as a patch, or apply it to the files.',
  });
}

function toPath(bytes: string | null): string {
  return Buffer.from(bytes ?? '', 'latin1').toString('utf8');
}

/** What git would refuse in an identity is left out. */
function asText(bytes: string | null): string {
  return toPath(bytes)
    .replaceAll(/[\p{Cc}<>]/gu, '')
    .trim();
}
