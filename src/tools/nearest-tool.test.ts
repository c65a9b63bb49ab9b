import { expect, test } from 'vitest';
import { nearestTool } from './tools-for.ts';

const names = ['read_file', 'write_file', 'edit_file', 'list_files', 'glob', 'grep', 'execute_terminal', 'web_fetch'];

test.each([
  ['readFile', 'read_file'],
  ['file_read', 'read_file'],
  ['Bash', 'execute_terminal'],
  ['str_replace', 'edit_file'],
  ['gerp', undefined],
  ['grepp', 'grep'],
  ['webfetch', 'web_fetch'],
  ['listfile', 'list_files'],
  ['deploy', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  ['x'.repeat(100_000), undefined],
])('[L3] asked for %s, the agent most likely meant %s', (wrong, meant) => {
  expect(nearestTool(wrong, names)).toBe(meant);
});

test('[PH3] a tool that is not there is never proposed', () => {
  expect(nearestTool('bash', ['read_file'])).toBeUndefined();
});
