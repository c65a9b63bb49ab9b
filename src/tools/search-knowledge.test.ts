import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { KnowledgeIndex } from './knowledge/knowledge-index.ts';
import { searchKnowledgeTool } from './search-knowledge.ts';
import { call, testFolder } from './testing/test-folder.ts';

const ask = async (folder: string, query: string, knowledge?: KnowledgeIndex): Promise<string> => {
  const result = await call(searchKnowledgeTool, { query }, { folder, ...(knowledge && { services: { knowledge } }) });
  expect(result.isError).toBe(false);
  return result.content;
};

function keptIndex(options: { cacheFolder?: string } = {}): KnowledgeIndex {
  const index = new KnowledgeIndex(options);
  onTestFinished(() => index.close());
  return index;
}

const FILES = {
  'README.md': '# Trains\n\nHow the timetable is made.\n\n## Delays\n\nLate trains are announced by the dispatcher.\n',
  'docs/deep/rules.html': '<p>Signals are red.</p>',
  'guide.rst': 'Signals\n=======\n\nA signal stops a train.\n',
  'src/train.ts': '// the dispatcher in code',
  'node_modules/x/README.md': 'dispatcher',
  '.git/notes.md': 'dispatcher',
};

test('[PH9] passages are found by their words, with file, lines and heading', async () => {
  const folder = testFolder(FILES);
  expect(await ask(folder, 'Who announces the delay?')).toBe(
    'README.md:5-7 (Delays)\n5: ## Delays\n6: \n7: Late trains are announced by the dispatcher.\n\nREADME.md:3-3 (Trains)\n3: How the timetable is made.',
  );
  expect(await ask(folder, 'dispatcher')).not.toMatch(/src|node_modules|\.git/);
});

test('[PH9] the passage with more of the words, and rarer ones, comes first', async () => {
  const folder = testFolder(FILES);
  expect(await ask(folder, 'train signal')).toMatch(/^guide\.rst:1-4 \(Signals\)/);
  expect(await ask(folder, 'red')).toMatch(/^docs\/deep\/rules\.html:1-1\n/);
  expect(await ask(folder, '"signals are"')).toMatch(/^docs\/deep\/rules\.html:1-1\n/);
});

test('[PH9] only what changed is read again, and what is gone is not found any more', async () => {
  const folder = testFolder(FILES);
  const index = keptIndex();
  expect(await ask(folder, 'dispatcher', index)).toContain('README.md');
  appendFileSync(join(folder, 'guide.rst'), '\nShunting is slow.\n');
  writeFileSync(join(folder, 'NEW.txt'), 'Shunting yards are large.');
  expect(await ask(folder, 'shunting', index)).toMatch(/NEW\.txt:1-1[^]*guide\.rst/);
  rmSync(join(folder, 'NEW.txt'));
  rmSync(join(folder, 'README.md'));
  expect(await ask(folder, 'shunting', index)).not.toContain('NEW.txt');
  expect(await ask(folder, 'dispatcher', index)).toBe('Nothing in 2 documents fits. Try other words.');
});

test('[PH9] each folder has its own documents, also when many are open', async () => {
  const index = keptIndex();
  const folders = Array.from({ length: 20 }, (_, at) => testFolder({ 'a.md': `word number${at}` }));
  const found = await Promise.all(folders.map((folder) => ask(folder, 'word', index)));
  expect(found).toEqual(folders.map((_, at) => `a.md:1-1\n1: word number${at}`));
  expect(await ask(folders[0] ?? '', 'number0', index)).toContain('number0');
});

test('[PH9] a cache survives the process, and a damaged one is rebuilt', async () => {
  const folder = testFolder(FILES);
  const cacheFolder = join(dirname(folder), 'cache');
  const first = new KnowledgeIndex({ cacheFolder });
  await ask(folder, 'dispatcher', first);
  await first.close();
  const [file = ''] = readdirSync(cacheFolder);
  expect(await ask(folder, 'dispatcher', keptIndex({ cacheFolder }))).toContain('README.md:7-7');
  writeFileSync(join(cacheFolder, file), 'no database '.repeat(1000));
  expect(await ask(folder, 'dispatcher', keptIndex({ cacheFolder }))).toContain('README.md:7-7');
});

test('[L3] what is not read is said: too large, not UTF-8, binary', async () => {
  const folder = testFolder({
    'large.md': 'x'.repeat(1_100_000),
    'latin.txt': Buffer.from([0x47, 0xfc]),
    'docs/picture.png': Buffer.from([0x89, 0, 1]),
    'a.md': 'word',
  });
  const content = await ask(folder, 'word');
  expect(content).toContain('a.md:1-1');
  expect(content).toContain('[not searched: 3 documents');
  expect(content).toContain('large.md (too large)');
  expect(content).toContain('latin.txt (not UTF-8 text)');
});

test('[C31] links are never followed, and odd names are shown escaped', async () => {
  const folder = testFolder({ 'docs/a\u001b[2J\n.md': 'inside word' });
  const outside = testFolder({ 'secret.md': 'outside word' });
  symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'));
  symlinkSync(outside, join(folder, 'docs', 'linked'));
  symlinkSync('.', join(folder, 'docs', 'loop'));
  const content = await ask(folder, 'word');
  expect(content).toBe(String.raw`"docs/a\u{1b}[2J\n.md":1-1` + '\n1: inside word');
});

test('[C34] files that may not be read do not stop the search', async () => {
  const folder = testFolder({ 'a.md': 'word', 'b.md': 'word', 'docs/c.md': 'word' });
  mkdirSync(join(folder, 'closed.md'));
  chmodSync(join(folder, 'b.md'), 0);
  expect(await ask(folder, 'word')).toContain('a.md:1-1');
});

test('[L3] an empty project and a question without words are answered', async () => {
  expect(await ask(testFolder(), 'word')).toBe('The project has no documents.');
  expect(await ask(testFolder(FILES), '"*" -- ((')).toContain('Nothing in 3 documents fits');
});

test('[L8] no question is an error, whatever its syntax', async () => {
  expect.hasAssertions();
  const folder = testFolder(FILES);
  const index = keptIndex();
  const hostile = [
    '"',
    'a AND',
    'NOT NOT',
    'NEAR(',
    'body:x',
    '^a',
    '*',
    'a*',
    '{a b}:c',
    "'; drop table sections; --",
  ];
  for (const query of [...hostile, '\u0000', '\ud800', '\u0301', 'a"b"c"', '_'.repeat(1000), 'ß'.repeat(1000)]) {
    await ask(folder, query, index);
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }), async (query) => {
      await ask(folder, query, index);
    }),
    { numRuns: 200 },
  );
});
