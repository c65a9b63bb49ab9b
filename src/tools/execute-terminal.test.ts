import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { executeTerminalTool } from './execute-terminal.ts';
import { call, testFolder } from './test-folder.ts';

test('[SM7] execute_terminal runs in the folder and tells exit code and output', async () => {
  const folder = testFolder({ 'a.txt': 'x' });
  expect(await call(executeTerminalTool, { command: 'ls; echo no >&2; exit 3' }, { folder })).toEqual({
    content: 'Exit code 3\na.txt\nno\n',
    isError: false,
  });
  expect((await call(executeTerminalTool, { command: 'pwd' }, { folder })).content).toBe(`Exit code 0\n${folder}\n`);
  expect((await call(executeTerminalTool, { command: 'true' }, { folder })).content).toBe('Exit code 0\n(no output)');
});

test('[SM7] execute_terminal hands on only what is on the list', async () => {
  process.env['OPENAI_API_KEY'] = 'canary-0815';
  process.env['NODE_OPTIONS'] = '';
  onTestFinished(() => {
    delete process.env['OPENAI_API_KEY'];
    delete process.env['NODE_OPTIONS'];
  });
  const folder = testFolder();
  const { content } = await call(executeTerminalTool, { command: 'env' }, { folder });
  const names = content
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('=')[0]);
  const known = new Set([
    'PATH',
    'HOME',
    'TMPDIR',
    'LANG',
    'TZ',
    'SHELL',
    'TERM',
    'CI',
    'NO_COLOR',
    'PAGER',
    'PWD',
    'OLDPWD',
    'PROCESS_TREE_MARK',
  ]);
  expect(names.filter((name) => !known.has(name ?? '') && !name?.startsWith('GIT_'))).toEqual([]);
  expect(content).toContain('TERM=dumb');
  expect(content).not.toContain('canary');
  const everywhere = await call(
    executeTerminalTool,
    { command: 'cat /proc/[0-9]*/environ 2>/dev/null; true' },
    { folder },
  );
  expect(everywhere.content).not.toContain('canary-0815');
});

test('[SM7] home is the private one of the run where there is one, and else gone afterwards', async () => {
  const folder = testFolder();
  const first = await call(executeTerminalTool, { command: 'echo x > "$HOME/note"; echo "$HOME"' }, { folder });
  const home = first.content.split('\n')[1] ?? '';
  expect(home.startsWith(tmpdir())).toBe(true);
  expect(existsSync(home)).toBe(false);
  for (const name of ['home', 'tmp']) mkdirSync(join(folder, '..', name));
  await call(executeTerminalTool, { command: 'echo x > ~/note; echo y > "$TMPDIR/z"' }, { folder });
  expect(readFileSync(join(folder, '..', 'home', 'note'), 'utf8')).toBe('x\n');
  expect(readdirSync(join(folder, '..', 'tmp'))).toEqual(['z']);
});

test('[SM7] git in a command does not find a repository that lies above the folder', async () => {
  const folder = testFolder({ 'a.txt': '' });
  await call(executeTerminalTool, { command: 'git init -q ..' }, { folder });
  expect(existsSync(join(folder, '..', '.git'))).toBe(true);
  const { content } = await call(executeTerminalTool, { command: 'git rev-parse --show-toplevel' }, { folder });
  expect(content).toContain('not a git repository');
});

test('[L3] execute_terminal keeps both ends of a long output', async () => {
  const folder = testFolder();
  const { content } = await call(
    executeTerminalTool,
    { command: 'echo first; yes | head -c 1000000; echo last' },
    { folder },
  );
  expect(content.length).toBeLessThan(66_000);
  expect(content).toMatch(/^Exit code 0\nfirst\n[^]*bytes left out …\][^]*\nlast\n$/);
});

test('[L7] execute_terminal stops at the time limit and tells what was said until then', async () => {
  const folder = testFolder();
  const result = await call(executeTerminalTool, { command: 'echo begun; sleep 60', timeout_seconds: 1 }, { folder });
  expect(result).toEqual({
    content: 'Stopped after 1 s, with everything it had started. Output until then:\nbegun\n',
    isError: true,
  });
});

test('[L7] execute_terminal stops when the signal fires, and never waits for input', async () => {
  const folder = testFolder();
  const stopped = await call(
    executeTerminalTool,
    { command: 'sleep 60' },
    { folder, signal: AbortSignal.timeout(200) },
  );
  expect(stopped).toEqual({ content: 'Cancelled before it was finished.', isError: true });
  expect((await call(executeTerminalTool, { command: 'cat; echo end' }, { folder })).content).toBe(
    'Exit code 0\nend\n',
  );
});
