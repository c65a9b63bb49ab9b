import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeHash, reachedFiles } from './reached-files.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-reached-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const reachedIn = (folder: string, start: string): readonly string[] =>
  reachedFiles(join(folder, start)).map((file) => relative(folder, file));

test('[L8] a module consists of all that it imports by a path, in whatever way, and what that imports', () => {
  const folder = folderWith({
    'a.ts':
      "import './b.ts'; export * from \"../x/no.ts\";\nimport type { C } from './deep/c.ts';\nawait import(`./d.mjs?v=1`);",
    'b.ts': "require('./e'); import data from './data.json' with { type: 'json' }; import 'package'; import './a.ts';",
    'deep/c.ts': "import '../f.js';",
    'd.mjs': '',
    'e.cjs': '',
    'data.json': '"./not-code.ts"',
    'not-code.ts': '',
    'f.js': "writeFileSync('./log.txt')",
    'log.txt': '',
  });
  expect(reachedIn(folder, 'a.ts')).toEqual(['a.ts', 'b.ts', 'deep/c.ts', 'd.mjs', 'e.cjs', 'data.json', 'f.js']);
});

test('[L8] its hash changes with any of them, and is that of its content where it is alone', () => {
  const folder = folderWith({ 'a.ts': "import './b.ts';", 'b.ts': '1', 'alone.ts': '1' });
  const before = codeHash(join(folder, 'a.ts'));
  writeFileSync(join(folder, 'b.ts'), '2');
  expect(codeHash(join(folder, 'a.ts'))).not.toEqual(before);
  expect(before.others).toBe(1);
  expect(codeHash(join(folder, 'alone.ts'))).toEqual({
    hash: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
    others: 0,
  });
});
