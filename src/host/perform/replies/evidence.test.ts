import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Demand } from '../../../core/record/agent-fact.ts';
import { createShell } from '../../../tools/shell.ts';
import { testSandbox } from '../../../tools/testing/test-sandbox.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { testWorkspaces } from '../../../workspace/testing/test-workspaces.ts';
import { systemClock } from '../../system-clock.ts';
import { checkEvidence, type EvidenceOrder, type Witness } from './evidence.ts';

const sandbox = testSandbox();
const signal = new AbortController().signal;

const witness: Witness = {
  world: {
    shell: createShell({ sandbox, hidden: [], environment: process.env }),
    clock: systemClock,
    hasOverlay: async () => (await sandbox()).hasOverlay,
  },
  signal,
};

const FILES = { 'src/a.ts': 'export const a = 1;\n', 'app/[id]/page.tsx': '', 'docs/guide/one.md': 'One.\n' };

const opened = (): Promise<Workspace> => testWorkspaces(testProject(FILES)).start();

const see = async (workspace: Workspace, demand: Partial<Demand>, more: Partial<EvidenceOrder> = {}) =>
  await checkEvidence(witness, { demand: { files: [], commands: [], ...demand }, workspace, ...more });

describe('[L4] files that were promised', () => {
  test('are there: nothing is missing, and each is evidence', async () => {
    const files = ['src/a.ts', './src/a.ts', 'docs/', 'docs/guide', 'app/[id]/page.tsx', '**/*.md', 'src/{a,b}.ts'];
    const found = await see(await opened(), { files });
    expect(found.missing).toBeNull();
    expect(found.evidence.filter(({ kind }) => kind === 'file')).toEqual(
      files.map((path) => ({ kind: 'file', path, isThere: true })),
    );
  });

  test('are not: all of them are named at once', async () => {
    const files = ['src/a.ts', 'src/b.ts', 'src/a.ts/c.ts', 'lib/**/*.ts', 'nowhere/x.ts'];
    const { missing, evidence } = await see(await opened(), { files });
    expect(missing).toBe(
      [
        'This is missing:',
        '- src/b.ts does not exist.',
        '- src/a.ts/c.ts does not exist.',
        '- nowhere/x.ts does not exist.',
        '- No file fits lib/**/*.ts.',
        '',
      ].join('\n'),
    );
    const there = evidence.flatMap((one) => (one.kind === 'file' && one.isThere ? [one.path] : []));
    expect(there).toEqual(['src/a.ts']);
  });

  test('an empty folder, a pipe and a link are no files, and nothing outside counts', async () => {
    const workspace = await opened();
    const { folder } = workspace;
    mkdirSync(join(folder, 'empty/below'), { recursive: true });
    symlinkSync('/etc/passwd', join(folder, 'passwd'));
    symlinkSync('/etc', join(folder, 'etc'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const files = ['empty', 'passwd', 'etc/passwd', 'pipe', 'etc/*', '/etc/passwd', '../project/src/a.ts', '~/x'];
    const { missing, evidence } = await see(workspace, { files });
    for (const part of [
      'empty is a folder without files.',
      'passwd is a symbolic link, which is not followed.',
      'etc/passwd cannot be looked at: etc is a symbolic link, which is not followed.',
      'pipe is not a regular file.',
      'No file fits etc/*.',
      '/etc/passwd is an absolute path',
      '../project/src/a.ts contains ..',
      '~/x starts with ~',
    ])
      expect(missing).toContain(part);
    expect(evidence.some((one) => one.kind === 'file' && one.isThere)).toBe(false);
  });

  test('of a hundred missing ones only some are listed, and an invalid pattern is reported', async () => {
    const files = ['{a,b}'.repeat(12), ...Array.from({ length: 99 }, (_, at) => `missing-${at}.ts`)];
    const { missing } = await see(await opened(), { files });
    expect(missing).toContain('cannot be used: The pattern has too many alternatives');
    expect(missing).toContain('- … and 70 more.');
  });
});

describe('[L4] commands that were named', () => {
  test('are run again by the engine in the workspace: green is evidence', async () => {
    const { missing, evidence } = await see(await opened(), { commands: ['test -f src/a.ts && echo fine'] });
    expect(missing).toBeNull();
    expect(evidence[0]).toMatchObject({ kind: 'command', exitCode: 0, output: 'fine' });
  });

  test('that fail are reported with their last lines, without colours, each of them', async () => {
    const long = String.raw`seq 1 5000; printf '\033[31mit broke\033[0m\n'; exit 3`;
    const { missing, evidence } = await see(await opened(), { files: ['no.ts'], commands: [long, 'true', 'exit 1'] });
    expect(missing).toMatch(/- no\.ts does not exist\.\n- `seq .*`, run by the engine, ended with exit code 3\./);
    expect(missing).toContain('    5000\n    it broke\n- `exit 1`, run by the engine, ended with exit code 1.');
    expect(missing).not.toContain('    1\n');
    expect(evidence.flatMap((one) => (one.kind === 'command' ? [one.exitCode] : []))).toEqual([3, 0, 1]);
  });

  test('that take too long are reported as timed out', async () => {
    const { missing, evidence } = await see(await opened(), { commands: ['sleep 60'] }, { timeoutMs: 50 });
    expect(missing).toContain('`sleep 60`, run by the engine, has no exit code: The command took too long.');
    expect(evidence[0]).toMatchObject({ exitCode: null });
  });

  test('leave nothing behind where the sandbox can throw it away', async (context) => {
    if (!(await sandbox()).hasOverlay) context.skip('no throw-away overlays here');
    const workspace = await opened();
    const before = await workspace.record();
    const { evidence } = await see(workspace, { commands: ['echo changed > src/a.ts; echo more > src/b.ts'] });
    expect(evidence.at(-1)).toEqual({ kind: 'tree', tree: before });
    expect(await workspace.record()).toBe(before);
  });

  test('get the ports that their workspace was given', async () => {
    const workspace = { ...(await opened()), resources: { web_port: '4711' } };
    const shown = await see(workspace, { commands: ['test "${resources.web_port}" = 4711'] });
    expect(shown.missing).toBeNull();
  });

  test('are stopped when the check is cancelled, and are not reported', async () => {
    const stop = new AbortController();
    const checking = see(await opened(), { commands: ['sleep 60'] }, { signal: stop.signal });
    stop.abort(new Error('over'));
    await expect(checking).rejects.toThrow('over');
  });
});

describe('[L4] the tree', () => {
  /** A workspace that the agent goes on writing to while its commands are run, so many times. */
  const whileChecking = (workspace: Workspace, times: number): Witness => {
    let left = times;
    const shell: Witness['world']['shell'] = async (command, run) => {
      const result = await witness.world.shell(command, run);
      if (left > 0) writeFileSync(join(workspace.folder, 'src/a.ts'), `broken ${left}\n`);
      left -= 1;
      return result;
    };
    return { ...witness, world: { ...witness.world, shell } };
  };
  const GREEN = 'grep -q export src/a.ts';

  test('that is returned is the one that was checked: files written meanwhile are checked too', async () => {
    const workspace = await opened();
    const demand = { files: [], commands: [GREEN] };
    const { missing } = await checkEvidence(whileChecking(workspace, 1), { demand, workspace });
    expect(missing).toContain(`\`${GREEN}\`, run by the engine, ended with exit code 1.`);
  });

  test('that keeps changing is the one with which the last check began, so that a later comparison finds the difference', async () => {
    const workspace = await opened();
    const demand = { files: [], commands: ['true'] };
    const { missing, evidence } = await checkEvidence(whileChecking(workspace, 9), { demand, workspace });
    expect(missing).toBeNull();
    expect(evidence.map(({ kind }) => kind)).toEqual(['command', 'tree']);
    expect(evidence.at(-1)).not.toEqual({ kind: 'tree', tree: await workspace.record() });
  });

  test('is that of the files as they are now, and can be had again', async () => {
    const workspace = await opened();
    const before = await workspace.record();
    writeFileSync(join(workspace.folder, 'src/b.ts'), 'export {};\n');
    const { evidence } = await see(workspace, { files: ['src/b.ts'] });
    const now = await workspace.record();
    expect(now).not.toBe(before);
    expect(evidence.at(-1)).toEqual({ kind: 'tree', tree: now });
    rmSync(join(workspace.folder, 'src/b.ts'));
    expect((await see(workspace, { files: ['src/b.ts'] })).missing).toContain('src/b.ts does not exist.');
  });
});
