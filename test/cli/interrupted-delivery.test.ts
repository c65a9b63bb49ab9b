import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { deliverCommand } from '../../src/cli/commands/deliver.ts';
import type { Invocation } from '../../src/cli/invocation.ts';
import { DEFAULT_MODE } from '../../src/cli/terminal/terminal.ts';
import { KnownSecrets } from '../../src/secrets/known-secrets.ts';
import { gitProject, KEPT, writingRun } from './file-projects.ts';
import type { Sandbox } from './sandbox.ts';

/** The command in this process, with a Ctrl-C as soon as it listens for one. */
async function interrupted({ project, home }: Sandbox, run: string, options: Invocation['options']): Promise<number> {
  const known = new Set(process.listeners('SIGINT'));
  const stream = () => new PassThrough().resume();
  const ended = deliverCommand({
    words: [run],
    options,
    version: '0.0.0',
    terminal: {
      stdin: stream(),
      stdout: stream(),
      stderr: stream(),
      environment: { ...process.env, HOME: home, TROUPE_HOME: home, TROUPE_SANDBOX: 'best' },
      folder: project,
      secrets: new KnownSecrets(),
      mode: DEFAULT_MODE,
    },
  });
  const added = process.listeners('SIGINT').filter((listener) => !known.has(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) listener('SIGINT');
  return await ended;
}

test('[U1] a branch that was written is written down too, though somebody pressed Ctrl-C meanwhile', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  expect(await interrupted(sandbox, run, { branch: 'result' })).toBe(0);
  expect((await sandbox.troupe(['show', run])).stdout).toContain('waits on the branch result');
});

test('[U1] files that were applied are reported as applied, though somebody pressed Ctrl-C meanwhile', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  expect(await interrupted(sandbox, run, { apply: true })).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'TWO'));
});
