import { expect, test } from 'vitest';
import { treeId } from '../../core/model/ids.ts';
import type { FrozenRules } from './frozen-rules.ts';
import { exceptionsFrom, leaveOutBy, readRules, writeRules } from './frozen-rules.ts';

const rules: FrozenRules = {
  source: 'git',
  began: treeId('0'),
  files: [{ base: '', text: 'dist/\n*.log\n.env*\nnode_modules\n' }],
  prefix: '',
  ignoreCase: false,
  bring: 'skip',
  keep: [],
};

const leftOut = (own: Partial<FrozenRules>, paths: readonly string[]) => {
  const leaveOut = leaveOutBy({ ...rules, ...own });
  const isOut = (path: string) => {
    const names = path.split('/');
    const folders = names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
    return folders.some((folder) => leaveOut(folder, true)) || leaveOut(path, false);
  };
  return paths.filter(isOut);
};

const PATHS = ['a.ts', 'x.log', 'dist/a.js', 'dist/deep/b.js', '.env', '.env.test', 'node_modules/p/.env.test'];

test('[SM11] snapshots leave out what the rules ignore, control folders and half-written files', () => {
  expect(leftOut({}, PATHS)).toEqual(PATHS.slice(1));
  expect(leftOut({}, ['.git/x', 'a/.GIT/x', '.troupe/tools/t.ts', '.abc.partial~', 'partial~', '.github/x'])).toEqual([
    '.git/x',
    'a/.GIT/x',
    '.troupe/tools/t.ts',
    '.abc.partial~',
  ]);
});

test('[SM11] a file that belongs to the project is kept although the rules ignore it', () => {
  const keep = exceptionsFrom(rules, ['a.ts', 'x.log', 'dist/a.js']);
  expect(keep).toEqual(['x.log', 'dist/a.js']);
  expect(leftOut({ keep }, PATHS)).toEqual(['dist/deep/b.js', '.env', '.env.test', 'node_modules/p/.env.test']);
});

test('[SM11] ignored files come along as configured', () => {
  expect(leftOut({ bring: 'copy' }, PATHS)).toEqual([]);
  expect(leftOut({ bring: ['.env.test'] }, PATHS)).toEqual(
    PATHS.filter((path) => path !== 'a.ts' && path !== '.env.test'),
  );
  expect(leftOut({ bring: ['dist'] }, PATHS)).toEqual(['x.log', '.env', '.env.test', 'node_modules/p/.env.test']);
  expect(leftOut({ bring: ['dist/deep'] }, PATHS)).not.toContain('dist/deep/b.js');
  expect(leftOut({ bring: ['dist/deep'] }, PATHS)).toContain('dist/a.js');
  expect(leftOut({ bring: ['node_modules/**/.env.test'] }, PATHS)).not.toContain('node_modules/p/.env.test');
  expect(leftOut({ bring: ['dist/*.js'] }, PATHS)).toContain('dist/deep/b.js');
});

test('[SM11] rules of the folders above a project count, and all survives being written', () => {
  const inside: FrozenRules = {
    ...rules,
    files: [
      { base: '', text: '/part/out\n*.tmp\n' },
      { base: 'part/', text: '\u00ff\n' },
    ],
    prefix: 'part/',
    keep: ['\u00ff', 'kept.tmp'],
  };
  const again = readRules(writeRules(inside));
  expect(again).toEqual(inside);
  expect(leftOut(again, ['out/x', 'a.tmp', 'kept.tmp', '\u00ff', 'sub/\u00ff', 'a'])).toEqual([
    'out/x',
    'a.tmp',
    'sub/\u00ff',
  ]);
});
