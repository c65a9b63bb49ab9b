import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { git, testProject } from '../testing/test-project.ts';
import { createIgnoreRules, type IgnoreFile } from './ignore-rules.ts';

/** Every path below the folder that git leaves out by itself, without asking about tracked files. */
function ignoredByGit(folder: string, paths: readonly string[]): Set<string> {
  const input = paths.map((path) => `${path}\0`).join('');
  const words = ['check-ignore', '--no-index', '-z', '-v', '-n', '--stdin'];
  let output: Buffer;
  try {
    output = execFileSync('git', words, { cwd: folder, input: Buffer.from(input, 'latin1') });
  } catch (error) {
    output = (error as { stdout: Buffer }).stdout;
  }
  const fields = output.toString('latin1').split('\0');
  const ignored = new Set<string>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const pattern = fields[at + 2] ?? '';
    if (pattern !== '' && !pattern.startsWith('!')) ignored.add(fields[at + 3] ?? '');
  }
  return ignored;
}

function allPaths(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.git') return [];
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? [path, ...allPaths(folder, path)] : [path];
  });
}

/** What we and git say of every path. */
function bothSay(project: string, files: readonly IgnoreFile[]) {
  for (const { base, text } of files) {
    const place = base === 'exclude:' ? '.git/info/exclude' : `${base}.gitignore`;
    writeFileSync(join(project, place), Buffer.from(text, 'latin1'));
  }
  const weakestFirst = files.map((file) => (file.base === 'exclude:' ? { ...file, base: '' } : file));
  const rules = createIgnoreRules(weakestFirst);
  const paths = allPaths(project);
  const ours = paths.filter((path) => rules.isIgnored(path, lstatSync(join(project, path)).isDirectory()));
  return { ours: new Set(ours), gits: ignoredByGit(project, paths) };
}

const NAMES = ['a', 'b', 'ab', 'a.log', 'b.log', 'A', 'a b', 'a-b', 'x1', '[a]', '!a', '#a', 'b ', 'deep'];

function sample(): string {
  const { project } = testProject();
  git(project, 'init', '-q');
  for (const name of NAMES) {
    for (const path of [name, `d/${name}`, `d/e/${name}`, `a.dir/b/${name}`]) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      if (name === 'deep') mkdirSync(join(project, path, 'a/b'), { recursive: true });
      else writeFileSync(join(project, path), '');
    }
  }
  return project;
}

test('[SM11] known ignore patterns mean what they mean to git', () => {
  const project = sample();
  const texts = [
    'a\n',
    '/a\n',
    '*.log\n!b.log\n',
    'd/\n!d/e/\n',
    'd/*\n!d/e\n',
    '**/e/a\n',
    'd/**\n',
    'd/**/a\n',
    'a**/b\n',
    '**\n!a\n',
    '\\!a\n\\#a\n#a\n',
    'b\\ \nb \n',
    '[[:upper:]]\n[!a-z]*\n',
    'a[ -]b\r\n\r\nab\r\n',
    '\u00ef\u00bb\u00bfab\n',
    '[[:nothing:]]\n[a\n\\\n[]a]\n[a-]*\n',
    '//\n/\n!\n',
    'd/e/\n!d/e/a\n',
    'deep/*/b\n',
    'deep/**/b/\n',
    'd\\/e\n',
    '*/a\n?\n',
  ];
  for (const text of texts) {
    const { ours, gits } = bothSay(project, [{ base: '', text }]);
    expect([text, ours]).toEqual([text, gits]);
  }
});

const PIECES = [
  'a',
  'b',
  'ab',
  'd',
  'e',
  'deep',
  '*',
  '**',
  '?',
  '/',
  '/',
  '.log',
  '[a-c]',
  '[!a]',
  '[^b]',
  '[[:alpha:]]',
  '\\a',
  '\\*',
  '!',
  '#',
  ' ',
  '-',
  '\\',
  '[',
  ']',
  'dir',
  '.',
  'A',
  'x1',
  '[]]',
  '[a\\]',
];

test('[SM11] random patterns in several ignore files mean what they mean to git', () => {
  const project = sample();
  const piece = fc.constantFrom(...PIECES);
  const line = fc.tuple(fc.constantFrom('', '', '', '!', '/', '!/', '**/'), fc.array(piece, { maxLength: 5 }));
  const text = fc
    .array(line, { minLength: 1, maxLength: 6 })
    .map((lines) => lines.map(([first, pieces]) => `${first}${pieces.join('')}\n`).join(''));
  const property = fc.property(text, text, text, (exclude, root, inner) => {
    const { ours, gits } = bothSay(project, [
      { base: 'exclude:', text: exclude },
      { base: '', text: root },
      { base: 'd/', text: inner },
    ]);
    expect(ours).toEqual(gits);
  });
  fc.assert(property, { numRuns: 150 });
});

test('[SM11] where the disk does not tell large letters from small ones, neither do the rules', () => {
  const rules = createIgnoreRules([{ base: 'Lib/', text: '/Build\n*.LOG\n' }], { ignoreCase: true });
  expect(rules.isIgnored('lib/build', true)).toBe(true);
  expect(rules.isIgnored('LIB/x/y.Log', false)).toBe(true);
  expect(rules.isIgnored('x/build', true)).toBe(false);
});
