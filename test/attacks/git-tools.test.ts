import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gitDiffTool, gitLogTool, gitStatusTool } from '../../src/tools/git-tools.ts';
import type { GitService, ToolResult } from '../../src/tools/port.ts';
import { call, testFolder } from '../../src/tools/testing/test-folder.ts';
import { git, writeFiles } from '../../src/workspace/testing/test-project.ts';

interface Answers {
  readonly status: ToolResult;
  readonly diff: ToolResult;
  readonly log: ToolResult;
}

async function askAll(folder: string, service: GitService = {}): Promise<Answers> {
  const context = { folder, services: { git: service } };
  const status = await call(gitStatusTool, {}, context);
  const diff = await call(gitDiffTool, {}, context);
  const log = await call(gitLogTool, { full: true }, context);
  return { status, diff, log };
}

function repository(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): string {
  const folder = testFolder(files);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'First\n\nwith a body');
  return folder;
}

/** A program that leaves a mark when it runs. */
function planted(folder: string): { readonly program: string; readonly hasRun: () => boolean } {
  const mark = join(dirname(folder), 'mark');
  const program = join(dirname(folder), 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(program, 0o755);
  const hasRun = () => {
    const ran = existsSync(mark);
    rmSync(mark, { force: true });
    return ran;
  };
  return { program, hasRun };
}

/** Whether the planted program answers as git expects does not matter. */
function statusAsPeopleDo(folder: string): void {
  try {
    git(folder, 'status');
  } catch {
    // It ran, or it did not: the mark tells.
  }
}

/** What git as people use it tells. */
function everything(folder: string): string {
  const commands = [['status'], ['diff', 'HEAD'], ['log', '-p']];
  return commands
    .map((words) => {
      try {
        return git(folder, ...words);
      } catch {
        return '';
      }
    })
    .join('\n');
}

/** Everything below a folder, by name, kind and content. */
function picture(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => {
    const stats = lstatSync(join(folder, name));
    const content = stats.isFile()
      ? createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')
      : '';
    return `${name} ${stats.mode} ${stats.nlink} ${content}`;
  });
}

test('[SM7] status, diff and log answer as git does, and leave the repository as it was', async () => {
  const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': '*.log\n' });
  writeFiles(folder, { 'a.txt': 'two\n', 'new.txt': '', 'x.log': '' });
  git(folder, 'rm', '-q', 'b.txt');
  const before = picture(folder);
  const { status, diff, log } = await askAll(folder);
  expect(status).toEqual({ content: '## main\n M a.txt\nD  b.txt\n?? new.txt', isError: false });
  expect(diff.content).toContain('-one\n+two\n');
  expect(diff.content).toContain('deleted file mode 100644');
  expect(log.content).toMatch(/^\n?[0-9a-f]{7,} \S+ Test <test@example.invalid> \(HEAD -> main\)\n\n {4}First/);
  expect(log.content).toContain('with a body');
  expect(picture(folder)).toEqual(before);
});

test('[SM7] commits, branches and paths can be compared', async () => {
  const folder = repository({ 'a.txt': 'one\n', 'src/b.txt': 'b\n' });
  writeFiles(folder, { 'a.txt': 'two\n', 'src/b.txt': 'c\n' });
  git(folder, 'commit', '-qam', 'Second');
  git(folder, 'gc', '-q');
  git(folder, 'tag', 'v2');
  writeFiles(folder, { 'src/b.txt': 'd\n', 'a.txt': 'three\n' });
  git(folder, 'add', 'a.txt');
  const diff = async (input: object) => (await call(gitDiffTool, { ...input }, { folder })).content;
  expect(await diff({ from: 'HEAD~1', to: 'v2', path: 'src/' })).toMatch(/-b\n\+c\n$/);
  expect(await diff({ stat: true })).toContain('2 files changed');
  expect(await diff({ from: 'main', to: 'v2' })).toBe('Nothing is changed.');
  const log = async (input: object) => (await call(gitLogTool, { ...input }, { folder })).content;
  expect((await log({})).split('\n')).toHaveLength(2);
  expect(await log({ count: 1 })).toMatch(/\(HEAD -> main, tag: v2\): Second$/);
  expect(await log({ from: 'HEAD~1' })).toMatch(/: First$/);
  expect(await log({ path: 'none' })).toBe('No commit fits.');
});

test('[L3] no repository, and one without commits, get a clear answer', async () => {
  const none = await askAll(testFolder({ 'a.txt': '' }));
  for (const result of Object.values(none)) {
    expect(result).toEqual({ content: 'This folder is not a git repository.', isError: true });
  }
  const empty = testFolder({ 'a.txt': 'one\n' });
  git(empty, 'init', '-q');
  git(empty, 'add', 'a.txt');
  const { status, diff, log } = await askAll(empty);
  expect(status.content).toBe('## No commits yet on main\nA  a.txt');
  expect(diff.content).toContain('+one');
  expect(log.content).toBe('There are no commits yet.');
});

test('[D41] [D43] programs that the repository names never run', async () => {
  const folder = repository({
    'a.txt': 'one\n',
    '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n',
  });
  const { program, hasRun } = planted(folder);
  const settings = [
    ['core.fsmonitor', program],
    ['core.hooksPath', dirname(program)],
    ['core.pager', program],
    ['pager.log', program],
    ['pager.diff', program],
    ['pager.status', 'true'],
    ['core.editor', program],
    ['core.sshCommand', program],
    ['core.alternateRefsCommand', program],
    ['core.askPass', program],
    ['credential.helper', `!${program}`],
    ['diff.external', program],
    ['diff.evil.command', program],
    ['diff.evil.textconv', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['filter.evil.process', program],
    ['filter.evil.required', 'true'],
    ['merge.evil.driver', program],
    ['gpg.program', program],
    ['log.showSignature', 'true'],
    ['alias.log', `!${program}`],
    ['alias.x', `!${program}`],
    ['uploadpack.packObjectsHook', program],
    ['interactive.diffFilter', program],
    ['trailer.x.command', program],
  ] as const;
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'query-watchman']) {
    writeFileSync(join(folder, '.git', 'hooks', hook), `#!/bin/sh\nexec '${program}'\n`, { mode: 0o755 });
    writeFileSync(join(dirname(program), hook), `#!/bin/sh\nexec '${program}'\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, '.git', 'info', 'attributes'), '* filter=evil diff=evil\n');
  const included = join(dirname(folder), 'included');
  writeFileSync(included, `[core]\n\tfsmonitor = ${program}\n`);
  for (const [name, value] of [...settings, ['include.path', included]] as const) git(folder, 'config', name, value);
  writeFiles(folder, { 'a.txt': 'two\n' });

  const { status, diff, log } = await askAll(folder);
  expect(hasRun()).toBe(false);
  expect(status.content).toContain(' M a.txt');
  expect(diff.content).toContain('-one\n+two');
  expect(log.content).toContain('First');
  // The trap is a real one: git as people use it walks into it.
  statusAsPeopleDo(folder);
  expect(hasRun()).toBe(true);
});

test('[D41] [D44] [D46] nested repositories, submodules and bare ones inside are not entered', async () => {
  const folder = repository();
  const { program, hasRun } = planted(folder);
  for (const name of ['nested', 'sub']) {
    mkdirSync(join(folder, name));
    git(join(folder, name), 'init', '-q');
    git(join(folder, name), 'commit', '-q', '--allow-empty', '-m', 'inner');
    git(join(folder, name), 'config', 'core.fsmonitor', program);
    writeFiles(join(folder, name), { 'inner.txt': 'x' });
  }
  git(folder, 'add', 'sub');
  git(folder, 'commit', '-qm', 'with a submodule');
  writeFiles(folder, { '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ./x\n` });
  mkdirSync(join(folder, 'unborn'));
  git(join(folder, 'unborn'), 'init', '-q');
  git(folder, 'init', '-q', '--bare', join(folder, 'bare'));
  git(join(folder, 'bare'), '--git-dir=.', 'config', 'core.fsmonitor', program);

  const { status, diff, log } = await askAll(folder);
  expect([status.isError, diff.isError, log.isError]).toEqual([false, false, false]);
  expect(hasRun()).toBe(false);
  expect(status.content).not.toContain('inner.txt');
  statusAsPeopleDo(folder);
  expect(hasRun()).toBe(true);
});

test('[D44] a folder that is itself a bare repository is no repository', async () => {
  const folder = testFolder();
  const { program, hasRun } = planted(folder);
  git(folder, 'init', '-q', '--bare', folder);
  git(folder, '--git-dir=.', 'config', 'core.fsmonitor', program);
  const { status } = await askAll(folder);
  expect(status.content).toBe('This folder is not a git repository.');
  expect(hasRun()).toBe(false);
});

function secretRepository(): string {
  const folder = testFolder({ 'secret.txt': 'the canary\n' });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'the canary');
  return folder;
}

test('[C31] [D42] a .git that leads elsewhere is not followed', async () => {
  const secret = secretRepository();
  const tricks: readonly ((folder: string) => void)[] = [
    (folder) => {
      rmSync(join(folder, '.git'), { recursive: true });
      writeFileSync(join(folder, '.git'), `gitdir: ${join(secret, '.git')}\n`);
    },
    (folder) => {
      rmSync(join(folder, '.git'), { recursive: true });
      symlinkSync(join(secret, '.git'), join(folder, '.git'));
    },
    ...['objects', 'HEAD', 'index', 'refs', 'packed-refs', 'shallow', 'config', 'info'].map(
      (name) => (folder: string) => {
        rmSync(join(folder, '.git', name), { recursive: true, force: true });
        symlinkSync(join(secret, '.git', name), join(folder, '.git', name));
      },
    ),
    (folder) => {
      git(folder, 'config', 'core.worktree', secret);
    },
    (folder) => {
      writeFileSync(join(folder, '.git', 'commondir'), `${join(secret, '.git')}\n`);
    },
    (folder) => {
      writeFileSync(join(folder, '.git', 'HEAD'), `ref: ../../../../${secret}/.git/refs/heads/main\n`);
    },
    (folder) => {
      const id = git(secret, 'rev-parse', 'HEAD').trim();
      writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${id}\n`);
      writeFileSync(join(folder, '.git', 'objects', 'info', 'alternates'), `${join(secret, '.git', 'objects')}\n`);
    },
    (folder) => {
      const id = git(secret, 'rev-parse', 'HEAD').trim();
      writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${id}\n`);
      for (const name of readdirSync(join(secret, '.git', 'objects')).filter((one) => one.length === 2)) {
        rmSync(join(folder, '.git', 'objects', name), { recursive: true, force: true });
        symlinkSync(join(secret, '.git', 'objects', name), join(folder, '.git', 'objects', name));
      }
    },
    (folder) => {
      const id = git(secret, 'rev-parse', 'HEAD').trim();
      writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${id}\n`);
      for (const name of readdirSync(join(secret, '.git', 'objects')).filter((one) => one.length === 2)) {
        mkdirSync(join(folder, '.git', 'objects', name), { recursive: true });
        for (const own of readdirSync(join(secret, '.git', 'objects', name))) {
          rmSync(join(folder, '.git', 'objects', name, own), { force: true });
          symlinkSync(join(secret, '.git', 'objects', name, own), join(folder, '.git', 'objects', name, own));
        }
      }
    },
  ];
  let leaks = 0;
  for (const trick of tricks) {
    const folder = repository();
    trick(folder);
    const answers = Object.values(await askAll(folder)).map(({ content }) => content);
    expect(answers.join('\n')).not.toMatch(/canary|secret\.txt/);
    leaks += /canary|secret\.txt/.test(everything(folder)) ? 1 : 0;
  }
  // Most of the tricks do lead git itself astray.
  expect(leaks).toBeGreaterThan(5);
});

test('[D42] objects are borrowed from where the caller permits, and only from there', async () => {
  const user = secretRepository();
  const folder = testFolder({ 'secret.txt': 'changed\n' });
  git(user, 'clone', '-q', '--shared', '--no-checkout', user, join(dirname(folder), 'clone'));
  renameSync(join(dirname(folder), 'clone', '.git'), join(folder, '.git'));
  git(folder, 'reset', '-q');
  const permitted = await askAll(folder, { borrowable: [join(user, '.git', 'objects')] });
  expect(permitted.diff.content).toContain('-the canary\n+changed');
  const refused = await askAll(folder);
  for (const { content } of Object.values(refused)) expect(content).not.toContain('canary');
});

test('[C31] [D42] an index made by hand cannot name files outside the folder', async () => {
  for (const path of ['../secret', '/etc/xxxxx', 'a/../../s', './a.txttt']) {
    const folder = repository({ 'aa/secrets': 'x\n'.slice(0, 2), 'a.txt': 'one\n' });
    writeFileSync(join(dirname(folder), 'secret'), 'the canary\n');
    const index = readFileSync(join(folder, '.git', 'index'));
    const at = index.indexOf('aa/secrets');
    index.write(path.padEnd(10, 'x').slice(0, 10), at, 'latin1');
    const body = index.subarray(0, -20);
    const sum = createHash('sha1').update(body).digest();
    writeFileSync(join(folder, '.git', 'index'), Buffer.concat([body, sum]));
    const { status, diff } = await askAll(folder);
    for (const { content, isError } of [status, diff]) {
      expect(content).not.toContain('canary');
      expect([isError, content]).toEqual([
        true,
        expect.stringMatching(/index of the repository is damaged|could not answer/),
      ]);
    }
  }
});

test.each([
  '--output=stolen',
  '--upload-pack=touch stolen',
  '-c core.pager=touch',
  '--no-index',
  '--ext-diff',
  '-O/etc/passwd',
  'HEAD\n--output=stolen',
  'HEAD\u0000x',
  '@{upstream}',
  '@{-1}',
  'HEAD:a.txt',
  '/etc/passwd',
  'nowhere',
  'HEAD..main',
  '^HEAD',
  '--all',
  '\ud800',
])('[D49] the revision %j is no commit and no option', async (revision) => {
  const folder = repository();
  const before = picture(folder);
  for (const tool of [gitDiffTool, gitLogTool]) {
    const result = await call(tool, { from: revision }, { folder });
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('There is no commit') });
  }
  expect((await call(gitDiffTool, { to: revision }, { folder })).isError).toBe(true);
  expect(picture(folder)).toEqual(before);
});

test.each(['../secret', '/etc/passwd', ':(top)x', '..', 'a/../../b', '~/x', '.git/../../x'])(
  '[C29] [D49] the path %j leads nowhere',
  async (path) => {
    const folder = repository();
    writeFileSync(join(dirname(folder), 'secret'), 'the canary');
    for (const tool of [gitDiffTool, gitLogTool]) {
      const { content } = await call(tool, { path }, { folder });
      expect(content).not.toContain('canary');
      expect(content).toMatch(/No commit fits|Nothing is changed|outside|parent|absolute|home|\.\.|~/);
    }
  },
);

test('[D49] branches with odd names are harmless', async () => {
  const folder = repository();
  const id = git(folder, 'rev-parse', 'HEAD');
  for (const name of ['--output=x', '-c', '$(touch x)', '\u001b[2J', 'a\nb', '@{x}', '..', '.lock']) {
    const path = join(folder, '.git', 'refs', 'heads', name === '..' ? 'dots' : name);
    writeFileSync(path, id);
  }
  writeFileSync(join(folder, '.git', 'packed-refs'), `${id.trim()} ../../x\nnonsense\n${id.trim()} refs/tags/good\n`);
  const { status, log } = await askAll(folder);
  expect(status.content).toMatch(/^## main\n/);
  expect(log.isError).toBe(false);
  expect(existsSync(join(folder, 'x'))).toBe(false);
});

test('[D50] a damaged repository gives a message in words, and nothing is repaired', async () => {
  const damages: readonly ((own: string) => void)[] = [
    (own) => writeFileSync(join(own, 'index'), 'no index'),
    (own) => writeFileSync(join(own, 'HEAD'), 'nonsense'),
    (own) => rmSync(join(own, 'HEAD')),
    (own) => rmSync(join(own, 'objects'), { recursive: true }),
    (own) => {
      for (const group of readdirSync(join(own, 'objects')).filter((name) => name.length === 2)) {
        for (const name of readdirSync(join(own, 'objects', group))) {
          chmodSync(join(own, 'objects', group, name), 0o644);
          writeFileSync(join(own, 'objects', group, name), 'garbage');
        }
      }
    },
    (own) => writeFileSync(join(own, 'config'), '[extensions]\n\trefStorage = reftable\n'),
  ];
  for (const damage of damages) {
    const folder = repository();
    writeFiles(folder, { 'a.txt': 'two\n' });
    damage(join(folder, '.git'));
    const before = picture(folder);
    const { diff } = await askAll(folder);
    expect(diff.isError).toBe(true);
    expect(diff.content).toMatch(/damaged|could not answer|not read here|There is no commit/);
    expect(diff.content).not.toContain('troupe-git-');
    expect(picture(folder)).toEqual(before);
  }
});

test('[D50] locks that were left behind, and a branch without commits, do not disturb', async () => {
  const folder = repository();
  for (const name of ['index.lock', 'HEAD.lock', 'config.lock', 'refs/heads/main.lock']) {
    writeFileSync(join(folder, '.git', name), '');
  }
  expect((await askAll(folder)).status.content).toBe('## main\nNothing is changed.');
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/nowhere\n');
  const { status, log } = await askAll(folder);
  expect(status.content).toContain('No commits yet on nowhere');
  expect(log.content).toBe('There are no commits yet.');
});

test('[C34] [C35] special files and names that are not text do not stop anything', async () => {
  const folder = repository();
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x0a])]), 'x');
  symlinkSync('/etc', join(folder, 'link'));
  symlinkSync('.', join(folder, 'loop'));
  const { status } = await askAll(folder);
  expect(status.content).toBe('## main\n?? link\n?? loop\n?? "\\xff\\x0a"');
});

test('[L8] a very long diff is cut', async () => {
  const folder = repository({ 'a.txt': 'x\n'.repeat(200_000) });
  writeFiles(folder, { 'a.txt': 'y\n'.repeat(200_000) });
  const { content, isError } = (await askAll(folder)).diff;
  expect(isError).toBe(false);
  expect(content.length).toBeLessThan(110_000);
  expect(content).toContain('bytes left out');
});

test('[SM7] repositories with the longer ids are read too', async () => {
  const folder = testFolder({ 'a.txt': 'one\n' });
  git(folder, 'init', '-q', '--object-format=sha256');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'First');
  writeFiles(folder, { 'a.txt': 'two\n' });
  const { diff, log } = await askAll(folder);
  expect(diff.content).toContain('+two');
  expect(log.content).toContain('First');
});

test('[D47] line ends are compared as the repository says', async () => {
  const folder = repository();
  git(folder, 'config', 'core.autocrlf', 'true');
  writeFiles(folder, { 'a.txt': 'one\r\n' });
  expect((await askAll(folder)).diff.content).not.toContain('one');
});
