import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { git, testProject } from '../testing/test-project.ts';
import { commitOf, userBranches } from './user-refs.ts';

function repository() {
  const { project } = testProject({ 'a.txt': 'a' });
  git(project, 'init', '-q', '-b', 'trunk');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'one');
  return project;
}

const faultOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isFault(error) ? { code: error.code, hint: error.hint } : error;
};

/** A commit made at another time, in seconds. */
function committedAt(project: string, seconds: number): string {
  const env = { ...process.env, GIT_COMMITTER_DATE: `@${seconds} +0000` };
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  return execFileSync('git', [...identity, 'commit-tree', '-m', 'then', 'HEAD^{tree}'], {
    cwd: project,
    encoding: 'utf8',
    env,
  }).trim();
}

test('[U2] branches by name: the one that is checked out, then the newest, those of other repositories last', async () => {
  const project = repository();
  const head = git(project, 'rev-parse', 'HEAD').trim();
  git(project, 'update-ref', 'refs/heads/a-year-ago', committedAt(project, 1_600_000_000));
  git(project, 'update-ref', 'refs/heads/feature/löwe', committedAt(project, 1_700_000_000));
  git(project, 'update-ref', 'refs/remotes/origin/main', committedAt(project, 1_900_000_000));
  git(project, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git(project, 'tag', 'trunk');
  const branches = (await userBranches(project)) ?? [];
  expect(branches.map(({ name, isCurrent, isRemote }) => ({ name, isCurrent, isRemote }))).toEqual([
    { name: 'heads/trunk', isCurrent: true, isRemote: false },
    { name: 'feature/löwe', isCurrent: false, isRemote: false },
    { name: 'a-year-ago', isCurrent: false, isRemote: false },
    { name: 'origin/main', isCurrent: false, isRemote: true },
  ]);
  expect(branches[0]?.commit).toBe(head);
  expect(branches[1]?.at).toBe(1_700_000_000_000);
  for (const { name, commit } of branches) expect(await commitOf(project, name)).toBe(commit);
});

test('[L3] a branch that leads nowhere does not hide the others', async () => {
  const project = repository();
  writeFileSync(join(project, '.git/refs/heads/broken'), `${'1'.repeat(40)}\n`);
  const names = (await userBranches(project))?.map(({ name }) => name);
  expect(names).toEqual(['trunk', 'broken']);
  expect(await faultOf(commitOf(project, 'broken'))).toMatchObject({ code: 'REF_UNKNOWN' });
});

test('[U2] any name that git knows for a commit is one: a tag, part of an id, a step back', async () => {
  const project = repository();
  const head = git(project, 'rev-parse', 'HEAD').trim();
  git(project, 'tag', '-a', '-m', 'first', 'v1');
  git(project, 'commit', '-q', '--allow-empty', '-m', 'two');
  for (const ref of ['v1', head.slice(0, 8), 'HEAD~1', 'refs/heads/trunk^'])
    expect({ ref, commit: await commitOf(project, ref) }).toEqual({ ref, commit: head });
});

test('[L3] what is no commit is a fault that names the branches, and an option of git’s is never one', async () => {
  const project = repository();
  const unknown = [
    'nowhere',
    '--all',
    '-h',
    '--output=/tmp/x',
    '^trunk',
    'trunk..trunk',
    'trunk:a.txt',
    '',
    '\u{202E}x',
  ];
  for (const ref of [...unknown, 'a\nb', 'x'.repeat(600)])
    expect({ ref, fault: await faultOf(commitOf(project, ref)) }).toEqual({
      ref,
      fault: { code: 'REF_UNKNOWN', hint: 'Its branches: trunk' },
    });
});

test('[L3] without a repository, or without a commit, there is nothing to compare with', async () => {
  const { project } = testProject({ a: 'a' });
  expect(await userBranches(project)).toBeNull();
  expect(await faultOf(commitOf(project, 'main'))).toMatchObject({ code: 'NOT_A_REPOSITORY' });
  git(project, 'init', '-q');
  expect(await userBranches(project)).toEqual([]);
  expect(await faultOf(commitOf(project, 'HEAD'))).toMatchObject({
    code: 'REF_UNKNOWN',
    hint: 'It has no branches: nothing was committed yet.',
  });
});
