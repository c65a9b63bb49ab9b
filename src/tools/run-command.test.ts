import { expect, test } from 'vitest';
import type { Failure } from '../core/outcome.ts';
import { runCommand } from './run-command.ts';
import { testFolder } from './test-folder.ts';

const signal = new AbortController().signal;

test('[L4] the exit code of an engine command is evidence, whatever it is', async () => {
  const folder = testFolder({ 'a.txt': 'x' });
  expect(await runCommand('cat a.txt', { folder, signal })).toEqual({ exitCode: 0, output: 'x', failure: null });
  expect(await runCommand('echo bad >&2; exit 7', { folder, signal })).toEqual({
    exitCode: 7,
    output: 'bad\n',
    failure: null,
  });
  expect(await runCommand('no-such-program-here', { folder, signal })).toMatchObject({ exitCode: 127, failure: null });
});

test('[L5] a command without an exit code says why', async () => {
  const folder = testFolder();
  const failureOf = async (options: {
    signal?: AbortSignal;
    timeoutMs?: number;
    folder?: string;
  }): Promise<Failure | null> => {
    const result = await runCommand('sleep 60', { folder, signal, ...options });
    expect(result.exitCode).toBeNull();
    return result.failure;
  };
  expect(await failureOf({ signal: AbortSignal.timeout(100) })).toMatchObject({
    code: 'COMMAND_CANCELLED',
    class: 'cancelled',
  });
  expect(await failureOf({ timeoutMs: 100 })).toMatchObject({ code: 'COMMAND_TIMEOUT', class: 'timeout' });
  expect(await failureOf({ folder: '/nowhere/at/all' })).toMatchObject({
    code: 'COMMAND_NOT_STARTED',
    class: 'config',
  });
});
