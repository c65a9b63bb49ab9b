import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import type { RunSetup } from '../port.ts';
import { workspacePlace } from '../run-place.ts';
import { git, testProject, writeFiles } from '../testing/test-project.ts';
import { faultCode, filesIn, METHODS, testWorkspaces } from '../testing/test-workspaces.ts';
import { lookAtWorkspace } from './overlays.ts';
import { removeUnusedBases } from './bases.ts';

const OVERLAY = { settings: { method: 'overlay' } } as const;
const works = METHODS.includes('overlay');

describe.skipIf(!works)('overlay workspaces', () => {
  test('[PD1] two upon one base do not see each other, and the base stays as it was', async () => {
    const place = testProject({ 'a.txt': 'a', 'src/b.txt': 'b', 'src/deep/c.txt': 'c' });
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    const [one, two] = await Promise.all([open(tree), open(tree, 'two')]);
    const before = hashOf(basesOf(place.home));
    writeFiles(one.folder, { 'a.txt': 'changed', 'new.txt': 'n' });
    chmodSync(join(one.folder, 'src/b.txt'), 0o600);
    rmSync(join(one.folder, 'src/deep'), { recursive: true });
    expect(filesIn(two.folder)).toEqual(['a.txt', 'src/b.txt', 'src/deep/c.txt']);
    expect(await two.record()).toBe(tree);
    expect(await one.record()).not.toBe(tree);
    expect(hashOf(basesOf(place.home))).toBe(before);
    expect(readdirSync(basesOf(place.home))).toEqual([tree]);
  });

  test('[L6] whatever was done to the files of the base, they are put back exactly', async () => {
    const place = testProject({
      'a.txt': 'a',
      'run.sh': 'x',
      'dir/b.txt': 'b',
      'dir/sub/c.txt': 'c',
      'other/d.txt': 'd',
      'gone/e.txt': '',
    });
    symlinkSync('a.txt', join(place.project, 'link'));
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    const { folder } = workspace;
    const at = (path: string): string => join(folder, path);
    const actions: readonly (() => void)[] = [
      () => rmSync(at('dir'), { recursive: true }),
      () => (rmSync(at('dir'), { recursive: true }), writeFileSync(at('dir'), 'a file where a folder was')),
      () => (rmSync(at('gone'), { recursive: true }), mkdirSync(at('gone'))),
      () => (rmSync(at('other'), { recursive: true }), symlinkSync('dir', at('other'))),
      () => (rmSync(at('a.txt')), mkdirSync(at('a.txt/in'), { recursive: true })),
      () => renameSync(at('run.sh'), at('moved.sh')),
      () => chmodSync(at('dir'), 0o500),
      () => (rmSync(at('link')), writeFileSync(at('link'), 'no link')),
      () => execFileSync('cp', ['-a', at('dir'), at('copied')]),
    ];
    for (const act of actions) {
      act();
      const changed = await workspace.record();
      expect(changed).not.toBe(tree);
      await workspace.restore(tree);
      expect(await workspace.record()).toBe(tree);
      await workspace.restore(changed);
      expect(await workspace.record()).toBe(changed);
      await workspace.restore(tree);
    }
    execFileSync('diff', ['-r', '--no-dereference', place.project, folder]);
    expect(readlinkSync(at('link'))).toBe('a.txt');
  });

  test('[L6] opened again by another engine it holds what it held, and is put back to what is asked for', async () => {
    const place = testProject({ 'a.txt': 'a', 'b.txt': 'b' });
    git(place.project, 'init', '-q');
    const first = testWorkspaces(place, OVERLAY);
    const { tree } = await first.workspaces.begin(place.project);
    const workspace = await first.open(tree);
    rmSync(join(workspace.folder, 'a.txt'));
    writeFiles(workspace.folder, { 'node_modules/x.js': 'left out', '.git/marker': '' });
    const later = await workspace.record();
    await first.workspaces.close();
    const second = testWorkspaces(place);
    const again = await second.open(tree);
    expect(again.found).toBe(later);
    expect(filesIn(again.folder)).toContain('a.txt');
    expect(existsSync(join(again.folder, '.git/marker'))).toBe(true);
    rmSync(join(again.folder, '.git'), { recursive: true });
    expect(existsSync(join((await second.open(later)).folder, '.git/HEAD'))).toBe(true);
    expect(await again.record()).toBe(later);
  });

  test('[L6] let go, it is closed, and opened again it is the same', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    const [one, other] = [await open(tree), await open(tree, 'main', 'r2')];
    await workspaces.release(runId('r1'));
    expect(await faultCode(one.record())).toBe('WORKSPACE_MISSING');
    expect(await other.record()).toBe(tree);
    expect(await (await open(tree)).record()).toBe(tree);
  });

  test('[L6] cut short while it was made, it is made again', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const first = testWorkspaces(place, OVERLAY);
    const { tree } = await first.workspaces.begin(place.project);
    const { folder } = await first.open(tree);
    writeFiles(folder, { 'half.txt': '', 'closed/x': '' });
    chmodSync(join(folder, 'closed'), 0);
    await first.workspaces.close();
    const mark = join(place.home, 'runs/r1/kept/main/overlay.json');
    for (const text of [readFileSync(mark, 'utf8').replace('true', 'false'), '{"sc']) {
      writeFileSync(mark, text);
      const workspace = await testWorkspaces(place, OVERLAY).open(tree);
      expect(filesIn(workspace.folder)).toEqual(['a.txt']);
      expect(workspace.found).toBe(undefined);
    }
  });

  test('[SM11] the setup command and its cache work in one', async () => {
    const place = testProject({ '.gitignore': 'made/\n', 'a.txt': 'a' });
    git(place.project, 'init', '-q');
    let runs = 0;
    const runSetup: RunSetup = async ({ folder }) => {
      runs += 1;
      writeFiles(folder, { 'made/x.js': 'x', 'a.txt': 'spoilt' });
      return { exitCode: 0, output: '' };
    };
    const settings = { method: 'overlay', setup: 'make it' } as const;
    const { workspaces, start } = testWorkspaces(place, { settings, runSetup });
    const { tree } = await workspaces.begin(place.project);
    for (const root of ['r1', 'r2']) {
      const workspace = await start(root);
      expect(filesIn(workspace.folder)).toEqual(['.gitignore', 'a.txt', 'made/x.js']);
      expect(await workspace.record()).toBe(tree);
    }
    expect(runs).toBe(1);
  });

  test('[SM11] a project that differs little is laid upon the base that is there', async () => {
    const place = testProject({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' });
    const { workspaces, start } = testWorkspaces(place, OVERLAY);
    await start('r1');
    writeFiles(place.project, { 'a.txt': 'changed by the user', 'new/e.txt': '' });
    rmSync(join(place.project, 'c'), { recursive: true });
    const workspace = await start('r2');
    expect(readdirSync(basesOf(place.home))).toHaveLength(1);
    expect(filesIn(workspace.folder)).toEqual(['a.txt', 'b.txt', 'new/e.txt']);
    expect(await workspace.record()).toBe((await workspaces.begin(place.project)).tree);
  });

  test('[SM11] but never where something would stay that the run leaves out', async () => {
    const place = testProject({ '.gitignore': 'secret\n', 'a.txt': 'a', secret: 's' });
    git(place.project, 'init', '-q');
    await testWorkspaces(place, { settings: { method: 'overlay', ignored: 'copy' } }).start('r1');
    const { folder } = await testWorkspaces(place, OVERLAY).start('r2');
    expect(filesIn(folder)).toEqual(['.gitignore', 'a.txt']);
  });

  test('[L6] the method is for new workspaces; one that is there stays what it is', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const copied = await testWorkspaces(place).start();
    const { tree } = await testWorkspaces(place).workspaces.begin(place.project);
    expect((await testWorkspaces(place, OVERLAY).open(tree)).folder).toBe(copied.folder);
    await testWorkspaces(place, OVERLAY).start('r2');
    const open = testWorkspaces(place);
    expect((await open.open(tree, 'main', 'r2')).folder).toMatch(/^\/proc\//);
    rmSync(join(place.home, 'runs', 'r2', 'work'), { recursive: true });
    const made = await open.open(tree, 'main', 'r2');
    expect(made.folder).toBe(join(place.home, 'runs', 'r2', 'work'));
    expect(filesIn(made.folder)).toEqual(['a.txt']);
  });

  test('it can be looked at while somebody has it open, and nothing can be written that way', async () => {
    const place = testProject({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' });
    const { start } = testWorkspaces(place, OVERLAY);
    const { folder } = await start();
    writeFiles(folder, { 'new.txt': '' });
    rmSync(join(folder, 'b.txt'));
    const look = { home: place.home, place: workspacePlace(place.home, 'r1', 'main') };
    expect(await lookAtWorkspace(look, async (seen) => filesIn(seen))).toEqual(['a.txt', 'c/d.txt', 'new.txt']);
    const write = lookAtWorkspace(look, async (seen) => writeFileSync(join(seen, 'a.txt'), 'x'));
    await expect(write).rejects.toThrow(/EROFS/);
    expect(await lookAtWorkspace({ ...look, place: workspacePlace(place.home, 'r9', 'main') }, async () => 1)).toBe(
      null,
    );
  });

  test('a base goes when nothing lies upon it, and not before', async () => {
    const place = testProject({ 'a.txt': 'a', 'closed/b.txt': '' });
    chmodSync(join(place.project, 'closed'), 0o555);
    const { workspaces, start } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    await start();
    const long = new Date(Date.now() - 7_200_000);
    const age = (): void => utimesSync(join(basesOf(place.home), tree), long, long);
    age();
    expect(await removeUnusedBases(place.home)).toBe(0);
    await workspaces.close();
    execFileSync('chmod', ['-R', 'u+rwX', join(place.home, 'runs'), place.project]);
    rmSync(join(place.home, 'runs'), { recursive: true });
    expect(await removeUnusedBases(place.home, Date.now() - 7_200_000)).toBe(0);
    expect(await removeUnusedBases(place.home)).toBe(1);
    expect(readdirSync(basesOf(place.home))).toEqual([]);
  });

  test('[L3] where no overlay works the method is refused and nothing is copied', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { workspaces, open } = testWorkspaces(place, OVERLAY);
    const { tree } = await workspaces.begin(place.project);
    // A file where the bases belong: nothing can be tried out there.
    writeFileSync(join(place.home, 'bases'), '');
    expect(await faultCode(open(tree))).toBe('WORKSPACE_NO_OVERLAY');
    expect(existsSync(workspaces.folderOf(runId('r1'), 'main'))).toBe(false);
  });

  test('[L3] a path with commas, colons and a link on its way is no hindrance', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const odd = join(place.home, '..', 'h,o:m e\\');
    mkdirSync(odd);
    symlinkSync(odd, place.home);
    const { folder } = await testWorkspaces(place, OVERLAY).start();
    writeFiles(folder, { 'b.txt': 'b' });
    expect(filesIn(folder)).toEqual(['a.txt', 'b.txt']);
    expect(readdirSync(join(place.home, 'runs', 'r1', 'work'))).toEqual(['b.txt']);
  });
});

const basesOf = (home: string): string => join(home, 'bases', readdirSync(join(home, 'bases'))[0] ?? '');

/** Every name, mode, time and byte. */
function hashOf(folder: string): string {
  const script = 'find . -printf "%p %m %i %C@ %l\\n" | sort; find . -type f -exec sha256sum {} + | sort';
  return execFileSync('/bin/sh', ['-c', `(${script}) | sha256sum`], { cwd: folder, encoding: 'utf8' });
}
