import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { RunId, TreeId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { World } from '../../src/host/world.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { systemProgram } from '../../src/lib/process-tree.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { createShell } from '../../src/tools/shell.ts';
import { applyTrees, rollbackProject } from '../../src/workspace/changes/apply-trees.ts';
import { diffTrees } from '../../src/workspace/changes/diff-trees.ts';
import { planApply } from '../../src/workspace/changes/plan-apply.ts';
import { picture } from '../../src/workspace/changes/testing/store-world.ts';
import { expectSoundStore } from '../../src/workspace/store/testing/sound-store.ts';
import { git } from '../../src/workspace/testing/test-project.ts';
import { METHODS } from '../../src/workspace/testing/test-workspaces.ts';
import { FilesBench, uses, withAgents } from '../workspaces/bench.ts';
import { plantingScript, setTrap } from './support/planting.ts';
import type { Trap } from './support/planting.ts';
import { filesHolding } from './support/store-content.ts';

const FILES = { 'notes.txt': 'one\ntwo\nthree\n', 'src/a.ts': 'a\n', 'old.txt': 'old\n' };

/** An agent with its own place works, is merged, looks at it with git's tools, works again and is merged again. */
const twice = withAgents(
  {
    roles: { coder: {} },
    states: [
      work('plant', turn('coder', "'go'"), [to('bring')]),
      work('bring', { kind: 'merge', agent: 'coder' }, [to('look')]),
      work('look', turn('coder', "'look'"), [to('again')]),
      work('again', { kind: 'merge', agent: 'coder' }, [to('stop')]),
      end('stop'),
    ],
  },
  { coder: { workspace: 'own' } },
);

const once = build({ roles: { coder: {} }, states: [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')] });

type Step = readonly [name: string, input: Readonly<Record<string, string>>];

/** The calls of a turn one after the other, then a word. */
function playing(steps: Readonly<Record<string, readonly Step[]>>): (request: CallRequest) => CallReply {
  return ({ state, call }) => {
    const [name, input] = steps[state]?.[call - 1] ?? [];
    return name === undefined || input === undefined ? says('done') : uses(name, input, `${state}-${call}`);
  };
}

const shell = (command: string): Step => ['execute_terminal', { command }];
const LOOK: readonly Step[] = [
  ['git_status', {}],
  ['git_diff', {}],
  ['git_log', {}],
  ['write_file', { path: 'later.txt', content: 'later' }],
  shell('echo x >> notes.txt; rm -f old.txt'),
];

function repository(bench: FilesBench): string {
  git(bench.project, 'init', '-q');
  git(bench.project, 'add', '-A');
  git(bench.project, 'commit', '-q', '-m', 'first');
  return dirname(bench.project);
}

const scratch = mkdtempSync(join(tmpdir(), 'attack-sandbox-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let chosen: Promise<Sandbox> | null = null;
const sandbox = () => (chosen ??= knownSandbox(scratch).then((found) => chooseSandbox(found, null)));

function opened(bench: FilesBench) {
  return bench.host({
    shell: createShell({ sandbox, hidden: [bench.home], environment: process.env }),
    sandbox: async () => (await sandbox()).level,
  });
}

async function started(bench: FilesBench, definition: Definition = twice) {
  const { host, world } = opened(bench);
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rested = await host.rest(run);
  return { host, world, run, rested };
}

const contents = async (bench: FilesBench, run: RunId): Promise<readonly string[]> =>
  (await bench.facts(run)).flatMap((fact) => (fact.kind === 'tool.finished' ? [fact.content] : []));

/** What the project was, and what came of it, as trees. */
async function result(bench: FilesBench, run: RunId): Promise<{ before: TreeId; after: TreeId }> {
  const { files, workspaces } = foldRecords(await bench.journal.read(run));
  const [before, after] = [files?.tree, workspaces['main']?.tree];
  if (before === undefined || after === undefined) throw new Error('the run has no files');
  return { before, after };
}

/** Diff, plan, apply and undo in the user's project, as `troupe diff`, `merge --apply` and `rollback` do. */
async function bringAndUndo(bench: FilesBench, world: World, run: RunId) {
  const store = await world.workspaces.store(bench.project);
  const trees = await result(bench, run);
  const diff = await diffTrees(store, trees);
  const recordProject = async () => (await world.workspaces.begin(bench.project)).tree;
  const plan = await planApply(store, { base: trees.before, theirs: trees.after, recordProject });
  if (plan.kind === 'conflict') return { diff, plan, applied: null };
  const applied = await applyTrees(store, { from: plan.ours, to: plan.tree, project: bench.project });
  await rollbackProject(store, { before: plan.ours, after: plan.tree, project: bench.project });
  return { diff, plan, applied };
}

/** Proves that what was planted is live: git as people use it starts it in a copy. */
function expectLive(folder: string, trap: Trap): void {
  const copy = join(dirname(trap.program), 'control');
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  for (const words of [['status'], ['diff'], ['add', '-A']]) spawnSync('git', words, { cwd: copy, input: '' });
  rmSync(copy, { recursive: true });
  expect(trap.hasRun()).toBe(true);
  trap.forget();
}

test('[D41] [D43] [D44] [D45] hooks, filters, monitors, drivers, submodules and bare repositories that an agent plants never run', async () => {
  const later: { trap?: Trap } = {};
  const bench = new FilesBench({
    files: FILES,
    answer: (request) => {
      const plant = later.trap === undefined ? [] : [shell(plantingScript(later.trap))];
      return playing({ plant: [...plant, ['write_file', { path: 'new.txt', content: 'new' }]], look: LOOK })(request);
    },
  });
  const trap = setTrap(repository(bench));
  later.trap = trap;
  const before = picture(bench.project);
  const { host, world, run, rested } = await started(bench);
  expect(rested).toMatchObject({ outcome: 'ok', failure: null });
  expect((await contents(bench, run))[0]).toContain('Exit code 0');
  const { diff, plan } = await bringAndUndo(bench, world, run);
  expect(diff.changes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['.gitattributes', '.gitmodules', 'bare/HEAD', 'nested/file', 'new.txt']),
  );
  expect(diff.changes.filter(({ path }) => /(?:^|\/)\.git(?:\/|$)/.test(path))).toEqual([]);
  expect(plan).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'bare/HEAD', kind: 'repository' }] });
  await host.rewind(run, { to: 1, files: true, conversation: true, by: 'ann' });
  expect(trap.hasRun()).toBe(false);
  expect(picture(bench.project)).toEqual(before);
  const own = Object.keys(foldRecords(await bench.journal.read(run)).workspaces).find((name) => name !== 'main');
  expectLive(world.workspaces.folderOf(run, own ?? ''), trap);
});

test('[D41] [D43] [D44] [D45] the same planted in a project that the user got from somebody never runs either', async () => {
  const bench = new FilesBench({
    files: FILES,
    answer: playing({ plant: [['write_file', { path: 'new.txt', content: 'new' }]], look: LOOK }),
  });
  const trap = setTrap(repository(bench));
  execFileSync('/bin/sh', ['-c', plantingScript(trap)], { cwd: bench.project });
  trap.forget();
  const before = picture(bench.project);
  const { host, world, run, rested } = await started(bench);
  expect(rested).toMatchObject({ outcome: 'ok', failure: null });
  const { applied } = await bringAndUndo(bench, world, run);
  expect(applied).toMatchObject({ kind: 'applied' });
  await host.rewind(run, { to: 1, files: true, conversation: true, by: 'ann' });
  expect(trap.hasRun()).toBe(false);
  expect(picture(bench.project)).toEqual(before);
  expectLive(bench.project, trap);
});

test('[D42] a .git of a workspace that leads to a repository of the user is neither followed nor written through', async () => {
  const secret = `canary-${randomBytes(9).toString('hex')}`;
  const place = { project: '', other: '' };
  const harm = (gitDir: string): string =>
    [
      'git config user.name evil; git commit -q --allow-empty -m evil; git add -A; git checkout -b evil',
      `GIT_DIR='${gitDir}' git config core.fsmonitor evil; GIT_DIR='${gitDir}' git update-ref refs/heads/evil HEAD`,
      `echo evil > '${gitDir}/hooks/pre-commit'; echo evil >> '${gitDir}/config'; echo evil > '${gitDir}/../planted'`,
    ].join('\n');
  const redirects = (gitDir: string): readonly string[] => [
    `rm -rf .git; printf 'gitdir: %s\\n' '${gitDir}' > .git`,
    `rm -rf .git; ln -s '${gitDir}' .git`,
    `rm -rf .git; mkdir -p .git/refs .git/objects; echo '${gitDir}' > .git/commondir; cp /dev/null .git/HEAD; echo 'ref: refs/heads/main' > .git/HEAD`,
    `rm -rf .git; git init -q .; echo '${gitDir}/objects' > .git/objects/info/alternates; git config core.worktree '${dirname(gitDir)}'`,
  ];
  const bench = new FilesBench({
    files: FILES,
    answer: (request) => {
      const targets = [join(place.project, '.git'), join(place.other, '.git')];
      const steps = targets.flatMap((target) =>
        redirects(target).flatMap((redirect) => [shell(`${redirect}\n${harm(target)}`), ...LOOK.slice(0, 3)]),
      );
      return playing({ plant: steps, look: LOOK })(request);
    },
  });
  const base = repository(bench);
  [place.project, place.other] = [bench.project, join(base, 'other')];
  mkdirSync(place.other);
  writeFileSync(join(place.other, 'secret.txt'), secret);
  git(place.other, 'init', '-q');
  git(place.other, 'add', '-A');
  git(place.other, 'commit', '-q', '-m', secret);
  const before = [picture(place.project), picture(place.other)];
  const { host, run, rested } = await started(bench);
  expect(rested).toMatchObject({ outcome: 'ok', failure: null });
  expect(await contents(bench, run)).toHaveLength(2 * 4 * 4 + LOOK.length);
  expect((await contents(bench, run)).filter((text) => text.includes(secret))).toEqual([]);
  await host.rewind(run, { to: 1, files: true, conversation: true, by: 'ann' });
  expect([picture(place.project), picture(place.other)]).toEqual(before);
});

test('[D42] [F68] GIT_DIR and its like in the environment of the engine do not lead to another repository', async () => {
  const bench = new FilesBench({
    files: FILES,
    answer: playing({ plant: [shell('env; git status; git log'), ...LOOK] }),
  });
  const base = repository(bench);
  const other = join(base, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'other.txt'), 'other');
  git(other, 'init', '-q');
  git(other, 'add', '-A');
  git(other, 'commit', '-q', '-m', 'of another');
  const trap = setTrap(base);
  const before = [picture(bench.project), picture(other)];
  const games: Readonly<Record<string, string>> = {
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    GIT_EXTERNAL_DIFF: trap.program,
    GIT_SSH_COMMAND: trap.program,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: trap.program,
    GIT_CONFIG_PARAMETERS: `'core.hooksPath=${base}'`,
    GIT_EXEC_PATH: base,
    GIT_TRACE: join(base, 'git-trace'),
  };
  for (const [name, value] of Object.entries(games)) process.env[name] = value;
  onTestFinished(() => {
    for (const name of Object.keys(games)) delete process.env[name];
  });
  const { world, run, rested } = await started(bench);
  const trees = await result(bench, run);
  const entries = await (await world.workspaces.store(bench.project)).entries(trees.before);
  await bringAndUndo(bench, world, run);
  for (const name of Object.keys(games)) delete process.env[name];
  expect(rested).toMatchObject({ outcome: 'ok', failure: null });
  expect([...entries].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : [])).sort()).toEqual(
    Object.keys(FILES).sort(),
  );
  const text = (await contents(bench, run)).join('\n');
  expect(text).toContain('first');
  expect(text).not.toContain('of another');
  expect([trap.hasRun(), existsSync(join(base, 'git-trace'))]).toEqual([false, false]);
  expect([picture(bench.project), picture(other)]).toEqual(before);
});

/** How a repository that somebody made could name a file of the user's. `keys` holds nothing but that file. */
const LEADS: Readonly<Record<string, (gitDir: string, keys: string) => void>> = {
  'settings and alternates': (gitDir, keys) => {
    for (const name of ['excludesFile', 'attributesFile']) {
      git(dirname(gitDir), 'config', `core.${name}`, join(keys, 'id_rsa'));
    }
    mkdirSync(join(gitDir, 'objects/info'), { recursive: true });
    writeFileSync(join(gitDir, 'objects/info/alternates'), `${keys}\n../../../keys\n`);
  },
  'links in the folder info': (gitDir, keys) => {
    for (const name of ['exclude', 'sparse-checkout', 'attributes']) {
      rmSync(join(gitDir, 'info', name), { force: true });
      symlinkSync(join(keys, 'id_rsa'), join(gitDir, 'info', name));
    }
  },
  'a link in place of the objects': (gitDir, keys) => {
    cpSync(join(gitDir, 'objects'), keys, { recursive: true });
    rmSync(join(gitDir, 'objects'), { recursive: true });
    symlinkSync(keys, join(gitDir, 'objects'));
  },
  'a folder of objects in the keys': (gitDir, keys) => {
    renameSync(join(gitDir, 'objects'), join(keys, 'objects'));
    symlinkSync(join(keys, 'objects'), join(gitDir, 'objects'));
    writeFileSync(join(keys, 'objects/info/alternates'), `..\n${keys}/../keys\n`);
  },
};

test.each(Object.keys(LEADS))(
  '[F64] a project whose repository names secrets of the user gets none of them: %s',
  async (lead) => {
    const secret = `canary-${randomBytes(9).toString('hex')}`;
    const place = { keys: '' };
    const look = () =>
      `cat '${place.keys}'/*; ls '${place.keys}'; cat .git/info/* .git/config; grep -r canary . .git; true`;
    const bench = new FilesBench({
      files: FILES,
      answer: (request) =>
        playing({ start: [shell(look()), ['read_file', { path: '.git/info/exclude' }], ['git_status', {}]] })(request),
    });
    const base = repository(bench);
    place.keys = join(base, 'keys');
    mkdirSync(join(place.keys), { recursive: true });
    writeFileSync(join(place.keys, 'id_rsa'), `${secret}\n`);
    LEADS[lead]?.(join(bench.project, '.git'), place.keys);
    const { world, run, rested } = await started(bench, once);
    expect(rested).toMatchObject({ outcome: 'ok', failure: null });
    expect((await contents(bench, run)).join('\n')).not.toContain(secret);
    expect(filesHolding(world.workspaces.folderOf(run, 'main'), secret)).toEqual([]);
  },
);

test.each(METHODS)(
  '[SM11] [W3] a workspace deleted between two calls is made again from the journal, and nothing of it is lost: %s',
  async (method) => {
    const place: { folder?: string } = {};
    const bench = new FilesBench({
      settings: { method },
      files: FILES,
      answer: (request) => {
        if ([3, 5].includes(request.call) && place.folder !== undefined) rmSync(place.folder, { recursive: true });
        return playing({
          start: [
            ['write_file', { path: 'first.txt', content: 'kept' }],
            shell('echo second > second.txt'),
            shell('cat first.txt second.txt; echo third > third.txt'),
            ['read_file', { path: 'third.txt' }],
            ['read_file', { path: 'third.txt' }],
          ],
        })(request);
      },
    });
    repository(bench);
    const before = picture(bench.project);
    const { host, world } = opened(bench);
    const run = await host.start({ definition: once, input: {}, project: bench.project });
    place.folder = world.workspaces.folderOf(run, 'main');
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });
    const messages = await contents(bench, run);
    expect(messages[2]).toBe('Exit code 0\nkeptsecond\n');
    expect([messages[3], messages[4]]).toEqual([expect.stringContaining('third'), messages[3]]);
    // The journal says that it was made three times, and each time with what it had held.
    const made = (await bench.facts(run)).filter((fact) => fact.kind === 'workspace.made');
    expect(made.map(({ again }) => again === undefined)).toEqual([true, false, false]);
    const { base, tree } = foldRecords(await bench.journal.read(run)).workspaces['main'] ?? {};
    expect([made[1]?.again?.base, made[2]?.again?.base, made[2]?.tree]).toEqual([base, base, tree]);
    expect(base).toBe(made[0]?.tree);
    expect(readFileSync(join(place.folder, 'second.txt'), 'utf8')).toBe('second\n');
    expect(picture(bench.project)).toEqual(before);
  },
);

test('[SM11] [W3] a workspace deleted under a command is made again, and the command is done again from the exact files', async () => {
  const bench = new FilesBench({
    files: FILES,
    answer: playing({
      start: [
        ['write_file', { path: 'first.txt', content: 'kept' }],
        // The first time it runs until its files are gone; its home is not in the workspace.
        shell(
          'ls > list.txt; if [ -e "$HOME/once" ]; then exit 0; fi; touch "$HOME/once"; while [ -e first.txt ]; do sleep 0.05; done',
        ),
      ],
    }),
  });
  repository(bench);
  const { host, world } = opened(bench);
  const run = await host.start({ definition: once, input: {}, project: bench.project });
  const folder = world.workspaces.folderOf(run, 'main');
  await vi.waitFor(() => expect(existsSync(join(folder, 'list.txt'))).toBe(true), { timeout: 30_000, interval: 20 });
  rmSync(folder, { recursive: true });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });
  expect((await contents(bench, run)).at(-1)).toMatch(/^\(The folder of the workspace was deleted .*\)\nExit code 0\n/);
  expect(readFileSync(join(folder, 'list.txt'), 'utf8').split('\n').sort().join(' ').trim()).toBe(
    'first.txt list.txt notes.txt old.txt src',
  );
  const kinds = (await bench.facts(run)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'workspace.made')).toHaveLength(2);
  expect(kinds).not.toContain('run.paused');
});

/** Where the small disk is, how it is met, how much of it is left, and who goes on when there is space. */
const FULL_DISKS = [
  { at: '', how: 'tool', left: 'keeping', who: 'same' },
  { at: 'stores', how: 'tool', left: 'writing', who: 'same' },
  { at: 'stores', how: 'command', left: 'writing', who: 'another' },
  { at: 'runs', how: 'tool', left: 'writing', who: 'another' },
  { at: 'runs', how: 'command', left: 'writing', who: 'same' },
] as const;

test.for(FULL_DISKS)(
  '[I83] [C40] a disk that is full in the middle of a call pauses the run, no tree is half kept, and the call is done again when there is space: %o',
  ({ at, how, left, who }, context) => {
    const bench = new FilesBench({ files: FILES, answer: () => says('') });
    const disk = join(bench.home, at);
    mkdirSync(disk, { recursive: true });
    const before = picture(bench.project);
    const job = fileURLToPath(new URL('support/full-disk-run.ts', import.meta.url));
    const mount = 'mount -t tmpfs -o size=16m tmpfs "$1" || exit 77; shift; exec "$@"';
    const order = [disk, bench.home, bench.project, how, who, left];
    const words = ['-Urm', 'sh', '-c', mount, 'sh', disk, process.execPath, job, ...order];
    const { status, stdout, stderr, error } = spawnSync(systemProgram('unshare'), words, { encoding: 'utf8' });
    if (error !== undefined || status === 77 || /unshare/.test(stderr))
      context.skip('a small disk cannot be mounted here');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const began = [...Object.keys(FILES), 'first.txt'].sort();
    const paused = {
      status: 'paused',
      outcome: null,
      failure: {
        code: 'DISK_FULL',
        message: expect.stringMatching(
          new RegExp(`^There is no space left for ${disk}.* \\(\\d+ (?:kB|MB) free\\)\\.$`),
        ),
        class: 'config',
        hint: expect.stringContaining('troupe resume full'),
      },
      answered: [['w1', false]],
      files: began,
      isWhole: true,
    };
    const done = [
      ['w1', false],
      ['w2', false],
    ];
    expect(JSON.parse(stdout)).toEqual({
      full: paused,
      stillFull: paused,
      later: {
        status: 'settled',
        outcome: 'ok',
        failure: null,
        answered: done,
        files: [...began, 'large.txt'].sort(),
        isWhole: true,
      },
      isDirty: false,
    });
    expect(picture(bench.project)).toEqual(before);
  },
);

test('[I83] [C40] a check of merged files that meets a full disk says nothing of them: the run is paused, and the merge is done again', (context) => {
  const bench = new FilesBench({ files: FILES, answer: () => says('') });
  const disk = join(bench.home, 'runs');
  mkdirSync(disk, { recursive: true });
  const job = fileURLToPath(new URL('support/full-disk-check.ts', import.meta.url));
  const mount = 'mount -t tmpfs -o size=16m tmpfs "$1" || exit 77; shift; exec "$@"';
  const words = ['-Urm', 'sh', '-c', mount, 'sh', disk, process.execPath, job, disk, bench.home, bench.project];
  const { status, stdout, stderr, error } = spawnSync(systemProgram('unshare'), words, { encoding: 'utf8' });
  if (error !== undefined || status === 77 || /unshare/.test(stderr))
    context.skip('a small disk cannot be mounted here');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    full: { status: 'paused', outcome: null, code: 'DISK_FULL', isMerged: false },
    later: { status: 'settled', outcome: 'ok', code: null, isMerged: true },
  });
});

test('[PD7] what the user edits, deletes and adds during a run is kept, merged where it can be, and reported where not', async () => {
  const change: { now?: () => void } = {};
  const bench = new FilesBench({
    files: { ...FILES, 'mine.txt': 'mine\n' },
    answer: (request) => {
      if (request.call === 2) change.now?.();
      return playing({
        start: [
          ['edit_file', { path: 'notes.txt', old: 'three', new: 'THREE by the run' }],
          ['write_file', { path: 'src/a.ts', content: 'by the run\n' }],
          ['write_file', { path: 'old.txt', content: 'changed by the run\n' }],
          ['write_file', { path: 'new.txt', content: 'by the run\n' }],
        ],
      })(request);
    },
  });
  repository(bench);
  const at = (path: string): string => join(bench.project, path);
  change.now = () => {
    writeFileSync(at('notes.txt'), 'ONE by the user\ntwo\nthree\n');
    appendFileSync(at('mine.txt'), 'more\n');
    writeFileSync(at('added.txt'), 'by the user\n');
  };
  const { host, world, run, rested } = await started(bench, once);
  expect(rested).toMatchObject({ outcome: 'ok' });
  const store = await world.workspaces.store(bench.project);
  const trees = await result(bench, run);
  const recordProject = async () => (await world.workspaces.begin(bench.project)).tree;
  const planned = () => planApply(store, { base: trees.before, theirs: trees.after, recordProject });
  const plan = await planned();
  expect(plan).toMatchObject({ kind: 'plan' });

  // While the user looks at the plan they go on working: nothing of that is written over.
  writeFileSync(at('src/a.ts'), 'by the user, late\n');
  rmSync(at('old.txt'));
  const mine = picture(bench.project);
  const late = await applyTrees(store, { from: plan.ours, to: plan.tree, project: bench.project });
  expect(late).toMatchObject({ kind: 'conflict' });
  expect(late.kind === 'conflict' ? late.conflicts.map(({ path }) => path).sort() : []).toEqual([
    'old.txt',
    'src/a.ts',
  ]);
  expect(picture(bench.project)).toEqual(mine);

  const again = await planned();
  expect(again).toMatchObject({ kind: 'conflict' });
  expect(again.kind === 'conflict' ? again.conflicts.map(({ path }) => path).sort() : []).toEqual([
    'old.txt',
    'src/a.ts',
  ]);
  await applyTrees(store, { from: plan.ours, to: plan.tree, project: bench.project, onConflict: 'keep' });
  expect(readFileSync(at('notes.txt'), 'utf8')).toBe('ONE by the user\ntwo\nTHREE by the run\n');
  expect(readFileSync(at('mine.txt'), 'utf8')).toBe('mine\nmore\n');
  expect(readFileSync(at('added.txt'), 'utf8')).toBe('by the user\n');
  expect(readFileSync(at('src/a.ts'), 'utf8')).toBe('by the user, late\n');
  expect([existsSync(at('old.txt')), existsSync(at('new.txt'))]).toEqual([false, true]);
  await rollbackProject(store, { before: plan.ours, after: plan.tree, project: bench.project });
  expect(picture(bench.project)).toEqual(mine);
  await host.rewind(run, { to: 1, files: true, conversation: false, by: 'ann' });
  expect(picture(bench.project)).toEqual(mine);
});

test('[PD1] two runs at once in one project do not see each other, and leave the project and the store sound', async () => {
  const bench = new FilesBench({
    files: FILES,
    answer: (request) => {
      const own = request.run;
      return playing({
        start: [
          ['write_file', { path: 'own.txt', content: own }],
          shell(
            `for i in 1 2 3 4 5 6 7 8; do echo ${own} >> log.txt; echo $i > f$i; done; ls ..; cat ../../*/work/own.txt`,
          ),
          ['edit_file', { path: 'notes.txt', old: 'two', new: own }],
          shell('cat own.txt log.txt notes.txt'),
        ],
      })(request);
    },
  });
  repository(bench);
  const before = picture(bench.project);
  const hosts = [opened(bench), opened(bench), opened(bench)];
  const runs = await Promise.all(
    hosts.map(({ host }) => host.start({ definition: once, input: {}, project: bench.project })),
  );
  const rested = await Promise.all(hosts.map(({ host }, at) => host.rest(runs[at] ?? ('' as RunId))));
  expect(rested.map(({ outcome }) => outcome)).toEqual(runs.map(() => 'ok'));
  for (const [at, run] of runs.entries()) {
    const folder = hosts[at]?.world.workspaces.folderOf(run, 'main') ?? '';
    expect(readFileSync(join(folder, 'own.txt'), 'utf8')).toBe(run);
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe(`one\n${run}\nthree\n`);
    const text = (await contents(bench, run)).join('\n');
    expect(runs.filter((one) => text.includes(one))).toEqual([run]);
  }
  expect(picture(bench.project)).toEqual(before);
  const store = await hosts[0]?.world.workspaces.store(bench.project);
  expectSoundStore(store?.gitDir ?? '');
});
