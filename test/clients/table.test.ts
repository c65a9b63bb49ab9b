import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** What an agent, a client or a plan may do wrong, in the words of the table. */
const CASES = [
  ['malformed', 'unknown lines', 'prints nothing', 'exits 0 without a result', 'ignores SIGTERM', 'leaves children'],
  ['for another step', 'forged token', 'used token', 'bad payload', 'twice', 'after the step ended'],
  ['unknown id', 'two resumes of one', 'circle', 'unknown name', '0 steps', '1,000 steps', 'MCP server down'],
].flat();

test('the table of what clients do wrong names every case, and only tests that exist', () => {
  const lines = readFileSync(join(ROOT, 'docs/spec/clients.md'), 'utf8').split('\n');
  const rows = lines.map((line) => line.split(' | ')).filter(([, , file = '']) => file.endsWith('.ts'));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(([, title = '', file = '']) => !holds(file, title))).toEqual([]);
  const named = rows.map(([name]) => name).join('\n');
  expect(CASES.filter((name) => !named.includes(name))).toEqual([]);
});

/** With quotes as they read. */
function holds(file: string, title: string): boolean {
  const path = join(ROOT, file);
  return (
    existsSync(path) &&
    readFileSync(path, 'utf8')
      .replaceAll(String.raw`\'`, "'")
      .includes(`'${title}'`)
  );
}
