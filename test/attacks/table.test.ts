import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The folders whose tests the table names. */
const FOLDERS = ['test/attacks', 'test/joined', 'test/clients', 'src/sandbox', 'src/workspace', 'src/secrets']
  .concat('src/host/deliver')
  .map((folder) => join(ROOT, folder));

/** The sources of all these tests, with quotes as they read. */
function sources(): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  return files.map((file) => readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'")).join('\n');
}

const CASES = [
  ['C29', 'C31', 'C32', 'C34', 'C35', 'C37', 'C38', 'C40', 'D41', 'D43', 'D44', 'D46', 'D47', 'D49', 'D50'],
  ['E52', 'E53', 'E55', 'E56', 'E58', 'E59', 'E61', 'F62', 'F64', 'F65', 'F67', 'F68', 'F69', 'G73'],
].flat();

test('the table of attacks names every case, and only tests that exist', () => {
  const rows = readFileSync(join(ROOT, 'docs/spec/attacks.md'), 'utf8').split('\n');
  const cells = rows.map((row) => row.split(' | ')).filter(({ length }) => length === 3);
  const titles = cells.map(([, title = '']) => title).filter((title) => title.startsWith('['));
  expect(titles.length).toBeGreaterThan(50);
  const text = sources();
  expect(titles.filter((title) => !text.includes(title))).toEqual([]);
  const named = cells.map(([name]) => name).join(' ');
  expect(CASES.filter((name) => !named.includes(name))).toEqual([]);
});
