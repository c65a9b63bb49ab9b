import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { chooseSandbox } from '../../sandbox/find-sandbox.ts';
import { knownSandbox } from '../../sandbox/testing/known-sandbox.ts';
import type { Box } from '../../sandbox/port.ts';
import { testProject, writeFiles } from '../testing/test-project.ts';
import { filesIn, METHODS, testWorkspaces } from '../testing/test-workspaces.ts';

const OVERLAY = { settings: { method: 'overlay' } } as const;
const works = METHODS.includes('overlay');

describe.skipIf(!works)('commands in an overlay workspace', async () => {
  const scratch = testScratch();
  const found = await knownSandbox(scratch);
  const isThere = found.levels.some(({ level, failures }) => level === 'bubblewrap' && failures.length === 0);

  test.skipIf(!isThere)('[PD1] see and change the same files as the engine, under the path on the disk', async () => {
    const place = testProject({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' });
    const { workspaces, start } = testWorkspaces(place, OVERLAY);
    const workspace = await start();
    writeFiles(workspace.folder, { 'new.txt': 'by the engine' });
    const box = boxOf(workspace.folder, 'write');
    const script = 'pwd; cat a.txt new.txt; rm -r b.txt c; echo changed > a.txt; mkdir c; echo "$HERE"';
    const result = await chooseSandbox(found, 'bubblewrap').run(['/bin/sh', '-c', script], box);
    const path = workspaces.folderOf(runId('r1'), 'main');
    expect(result).toMatchObject({ exitCode: 0, output: `${path}\naby the engine${path}/x\n` });
    expect(filesIn(workspace.folder)).toEqual(['a.txt', 'new.txt']);
    expect(readdirSync(join(workspace.folder, 'c'))).toEqual([]);
    expect(readFileSync(join(workspace.folder, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  test.skipIf(!isThere)('[PH3] on a throw-away copy change nothing, and their changes are reported', async () => {
    const place = testProject({ 'a.txt': 'a', 'b/c.txt': 'c', 'd/e.txt': '' });
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    rmSync(join(workspace.folder, 'd'), { recursive: true });
    const later = await workspace.record();
    const script = 'ls; rm a.txt; echo x > b/c.txt; echo y > b/new';
    const box = boxOf(workspace.folder, 'throwaway');
    const result = await chooseSandbox(found, 'bubblewrap').run(['/bin/sh', '-c', script], box);
    const path = workspaces.folderOf(runId('r1'), 'main');
    expect(result).toMatchObject({ exitCode: 0, output: 'a.txt\nb\n' });
    expect(result.discarded).toEqual(['a.txt', 'b/c.txt', 'b/new'].map((name) => join(path, name)));
    expect(await workspace.record()).toBe(later);
  });

  test.skipIf(!isThere)('[F64] reach neither the base, nor the layer, nor create namespaces', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { folder } = await testWorkspaces(place, OVERLAY).start();
    const box = { ...boxOf(folder, 'write'), hidden: [place.home] };
    const script = `ls ${place.home}; ls ${place.home}/runs/r1; umount . ; unshare -Ur true; mount -o remount,rw / ; id -u; true`;
    const result = await chooseSandbox(found, 'bubblewrap').run(['/bin/sh', '-c', script], box);
    const uid = process.getuid?.() === 0 ? 1000 : process.getuid?.();
    expect(result.output).toBe(`runs\nwork\n${uid}\n`);
  });

  test.skipIf(!isThere)('[F64] cannot make what steers the overlay itself', async () => {
    const place = testProject({ 'dir/a.txt': 'a', 'b.txt': 'b' });
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    // By the number of setxattr on x86-64; elsewhere that part does nothing.
    // A mark that hides a folder's lower files, and the device that stands for a removed file.
    const perl = `my ($path, $name, $value) = ("dir", "user.overlay.opaque", "y"); syscall(188, $path, $name, $value, 1, 0);`;
    const script = `perl -e '${perl}'; rm b.txt; mknod b.txt c 0 0 2>/dev/null; ls dir; echo x > dir/new`;
    const result = await chooseSandbox(found, 'bubblewrap').run(
      ['/bin/sh', '-c', script],
      boxOf(workspace.folder, 'write'),
    );
    expect(result.output).toBe('a.txt\n');
    await workspaces.close();
    const again = await testWorkspaces(place, OVERLAY).open(tree);
    expect(filesIn(again.folder)).toEqual(['b.txt', 'dir/a.txt']);
    expect(await again.record()).toBe(tree);
  });

  test('[PD1] without namespaces are refused rather than run beside the files', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { folder } = await testWorkspaces(place, OVERLAY).start();
    const result = await chooseSandbox(found, 'none').run(['/bin/sh', '-c', 'pwd'], boxOf(folder, 'write'));
    expect(result.startFailure).toMatch(/overlay workspace/);
  });

  test.skipIf(!isThere)(
    '[L6] killed with -9 nothing stays mounted or running, and opened again it is exact',
    async () => {
      const place = testProject({ 'a.txt': 'a', 'b/c.txt': 'c' });
      const { workspaces, open } = testWorkspaces(place, OVERLAY);
      const { tree } = await workspaces.begin(place.project);
      const child = startEngine({ ...place, tree });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
      const folder = workspaces.folderOf(runId('r1'), 'main');
      while (child.exitCode === null && !existsSync(join(folder, 'beat'))) await nextTick();
      expect(namespacesWith(folder)).not.toEqual([]);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      while (namespacesWith(folder).length > 0) await nextTick();
      const workspace = await open(tree);
      expect(filesIn(workspace.folder)).toEqual(['a.txt', 'b/c.txt']);
      expect(await workspace.record()).toBe(tree);
    },
  );
});

function testScratch(): string {
  const folder = execFileSync('mktemp', ['-d', '-t', 'sandbox-XXXXXX'], { encoding: 'utf8' }).trim();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function boxOf(folder: string, access: 'write' | 'throwaway'): Box {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HERE: join(folder, 'x') };
  return { cwd: folder, env, folders: [{ path: folder, access }], hidden: [], network: false };
}

/** An engine that has the workspace open, with a command in it that writes on and on. */
function startEngine({ home, project, tree }: { home: string; project: string; tree: string }) {
  const url = (name: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', '..', name)).href);
  const source = `
    import { createWorkspaces } from ${url('workspace/workspaces.ts')};
    import { knownSandbox } from ${url('sandbox/testing/known-sandbox.ts')};
    import { chooseSandbox } from ${url('sandbox/find-sandbox.ts')};
    const workspaces = createWorkspaces({ home: ${JSON.stringify(home)}, settings: { method: 'overlay' } });
    const request = ${JSON.stringify({ root: 'r1', name: 'main', project, tree })};
    const { folder } = await workspaces.open(request);
    const box = chooseSandbox(await knownSandbox(${JSON.stringify(join(home, 'sandbox'))}), null);
    const script = 'rm a.txt; while true; do echo x > beat; echo y > b/c.txt; sleep 0.01; done';
    await box.run(['/bin/sh', '-c', script], { cwd: folder, env: { PATH: '/usr/bin:/bin' },
      folders: [{ path: folder, access: 'write' }], hidden: [], network: false });`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The processes that have something mounted there. */
function namespacesWith(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(` ${folder} `);
    } catch {
      return false;
    }
  });
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(() => resolve()));
