import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProcess } from '../lib/run-process.ts';
import { executeTerminalTool } from './shell.ts';
import type { ShellService } from './port.ts';
import { call, testFolder } from './testing/test-folder.ts';
import { testSandbox, testServices } from './testing/test-sandbox.ts';

const services = testServices(testSandbox());

test('[L8] execute_terminal starts nothing where no shell was lent, and says so', async () => {
  const folder = testFolder();
  const result = await call(executeTerminalTool, { command: 'echo x > made' }, { folder });
  expect(result).toMatchObject({ isError: true, refused: 'NO_SHELL' });
  expect(result.content).toContain('Commands cannot be run here');
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

test('[SM7] execute_terminal runs in the folder and reports exit code and output; other than 0 is a failure', async () => {
  const folder = testFolder({ 'a.txt': 'x' });
  expect(await call(executeTerminalTool, { command: 'ls; echo no >&2; exit 3' }, { folder, services })).toEqual({
    content: 'Exit code 3\na.txt\nno\n',
    isError: true,
  });
  expect((await call(executeTerminalTool, { command: 'pwd' }, { folder, services })).content).toBe(
    `Exit code 0\n${folder}\n`,
  );
  expect((await call(executeTerminalTool, { command: 'true' }, { folder, services })).content).toBe(
    'Exit code 0\n(no output)',
  );
});

test('[L7] execute_terminal stops at the time limit and tells what was said until then', async () => {
  const folder = testFolder();
  const result = await call(
    executeTerminalTool,
    { command: 'echo begun; sleep 60', timeout_seconds: 1 },
    { folder, services },
  );
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
    { folder, services, signal: AbortSignal.timeout(200) },
  );
  expect(stopped).toEqual({ content: 'Cancelled before it was finished.', isError: true });
  expect((await call(executeTerminalTool, { command: 'cat; echo end' }, { folder, services })).content).toBe(
    'Exit code 0\nend\n',
  );
});

test('[PH3] a lent shell runs the command, and the agent hears what was thrown away', async () => {
  const asked: unknown[] = [];
  const shell: ShellService = async (command, { mode, network, folder }) => {
    asked.push({ command, mode, network });
    const result = await runProcess(['/bin/sh', '-c', command], { cwd: folder, env: {} });
    return { ...result, discarded: ['src/a', 'src/b'] };
  };
  const context = { folder: testFolder(), mode: 'commands', network: true, services: { shell } } as const;
  const result = await call(executeTerminalTool, { command: 'echo hey' }, context);
  expect(asked).toEqual([{ command: 'echo hey', mode: 'commands', network: true }]);
  expect(result.content).toBe(
    'Exit code 0\nhey\n\n[Your role may not write: changes to 2 paths were thrown away (src/a, src/b)]',
  );
});
