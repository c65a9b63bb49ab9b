import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { oddStartOption, START_OPTIONS } from '../../../src/server/http/start-options.ts';

test('[U2] every option that a page may give is one of `troupe run`, with or without a value as there', () => {
  const flags = COMMANDS.find(({ name }) => name === 'run')?.options?.map((option) => option.flags) ?? [];
  const valued = new Set(flags.filter((flag) => flag.includes('<')).map((flag) => flag.split(' ', 1)[0] ?? ''));
  expect(START_OPTIONS.filter((name) => !valued.has(name) && !flags.includes(name))).toEqual([]);
  expect(START_OPTIONS.filter((name) => oddStartOption([name]) !== null)).toEqual(
    START_OPTIONS.filter((name) => valued.has(name)),
  );
});

test('[U2] options are taken with their values; whatever else is said is named', () => {
  expect(oddStartOption([])).toBeNull();
  expect(oddStartOption(['--max-usd', '2', '--apply', '--verify=--check', '--model', 'base=x'])).toBeNull();
  const odd = [
    ['--sandbox', 'none'],
    ['--sandbox=none'],
    ['--input-file', '/etc/passwd'],
    ['--out', '/tmp'],
    ['--web'],
    ['--help'],
    ['--'],
    ['a word'],
    ['--apply=yes'],
  ];
  for (const words of odd) expect(oddStartOption(['--slots', '2', ...words])).toBe(words[0]);
  expect(oddStartOption(['--verify', '--detach'])).toBe('--verify');
  expect(oddStartOption(['--max-usd'])).toBe('--max-usd');
});
