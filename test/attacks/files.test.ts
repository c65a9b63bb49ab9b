import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TreeId } from '../../src/core/model/ids.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { editFileTool, listFilesTool, readFileTool, writeFileTool } from '../../src/tools/file-tools.ts';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import type { Tool, ToolResult } from '../../src/tools/port.ts';
import { call } from '../../src/tools/testing/test-folder.ts';
import { picture } from '../../src/workspace/changes/testing/store-world.ts';
import { describeFolder } from '../../src/workspace/store/testing/describe-folder.ts';
import { openTreeStore } from '../../src/workspace/store/tree-store.ts';
import { faultCode } from '../../src/workspace/testing/test-workspaces.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { RACE_TRIES } from './support/race-tries.ts';
import { noSwapping, startSwapping } from './support/swapping.ts';
import { storeContent } from './support/store-content.ts';

/** A folder for an agent, and one outside with a secret that must stay unread and unchanged. */
function scene() {
  // In memory where there is such a place: more tries in the same time.
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const base = realpathSync(mkdtempSync(join(parent, 'attack-files-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [work, outside] = [join(base, 'work'), join(base, 'outside')];
  for (const folder of [work, outside, join(outside, 'd')]) mkdirSync(folder);
  const canary = `canary-${randomBytes(9).toString('hex')}`;
  for (const name of ['secret.txt', 'x', 'd/y']) writeFileSync(join(outside, name), canary);
  const before = picture(outside);
  return {
    base,
    work,
    outside,
    canary,
    use: (tool: Tool, input: JsonObject): Promise<ToolResult> => call(tool, input, { folder: work }),
    expectNoEscape: () => {
      expect(picture(outside)).toEqual(before);
      expect(readdirSync(base).filter((name) => !OWN.has(name))).toEqual([]);
    },
  };
}

const OWN = new Set(['work', 'outside', 'store', 'index', 'home', 'project']);

async function withStore({ base, work }: { readonly base: string; readonly work: string }) {
  const gitDir = join(base, 'store');
  const store = await openTreeStore(gitDir);
  onTestFinished(() => store.close());
  const options = { index: join(base, 'index'), leaveOut: () => false };
  return {
    gitDir,
    store,
    record: () => store.record(work, options),
    restore: (tree: TreeId) => store.restore(tree, work, { ...options, durable: false }),
  };
}

/** Every tool that takes a path, with arguments that would do harm there. */
const AT_A_PATH: readonly (readonly [Tool, (path: string) => JsonObject])[] = [
  [readFileTool, (path) => ({ path })],
  [listFilesTool, (path) => ({ path })],
  [grepTool, (path) => ({ path, pattern: 'canary' })],
  [writeFileTool, (path) => ({ path, content: 'overwritten' })],
  [editFileTool, (path) => ({ path, old: 'canary', new: 'overwritten' })],
];

test('[C29] paths that lead out, in every spelling, are refused by every tool', async () => {
  const { work, outside, canary, use, expectNoEscape } = scene();
  mkdirSync(join(work, 'a/b'), { recursive: true });
  // The tools work: what is refused below is refused for its path.
  expect(await use(writeFileTool, { path: 'a/b/c', content: 'canary' })).toMatchObject({ isError: false });
  for (const [tool, input] of AT_A_PATH.filter(([tool]) => tool !== listFilesTool)) {
    expect(await use(tool, input('./a/b/c'))).toMatchObject({ isError: tool === editFileTool });
  }
  const up = '../outside/secret.txt';
  const plain = ['..', '../', up, `./${up}`, `a/../../${up}`, `a/b/../../../${up.slice(3)}`, 'a/./../..'];
  const absolute = ['/', '//', '/etc/passwd', `//${outside}/secret.txt`, `${outside}/secret.txt`, '/proc/self/environ'];
  const home = ['~', '~/.ssh/id_rsa', '~root/x'];
  const spelled = ['..\\outside\\secret.txt', 'a\\..\\..', '%2e%2e/outside', 'a%2fb', '..%5cx', 'file:///etc/passwd'];
  const odd = [
    '',
    'a//b',
    'a/..',
    '.. /x',
    '... ',
    'a/b ',
    'a.',
    'x\0',
    `x\0/../../${up}`,
    '\ud800',
    'a/'.repeat(3000),
  ];
  for (const path of [...plain, ...absolute, ...home, ...spelled, ...odd]) {
    for (const [tool, input] of AT_A_PATH) {
      const { isError, content } = await use(tool, input(path));
      expect([tool.spec.name, path, isError, content.includes(canary)]).toEqual([tool.spec.name, path, true, false]);
    }
  }
  for (const pattern of ['../**', '/**', '**/../../**', `${outside}/*`, '{..,.}/outside/*', '~/**']) {
    const { content } = await use(globTool, { pattern });
    expect([pattern, content.includes('secret')]).toEqual([pattern, false]);
  }
  expectNoEscape();
});

test('[C31] links of every kind are neither read, written, listed nor searched through', async () => {
  const { work, outside, canary, use, expectNoEscape } = scene();
  const links: Readonly<Record<string, string>> = {
    file: join(outside, 'secret.txt'),
    relative: '../outside/secret.txt',
    folder: outside,
    dangling: join(outside, 'new.txt'),
    chain: 'file',
    loop: 'loop',
    self: '.',
    up: '..',
    root: '/',
    process: '/proc/self/root',
    input: '/dev/stdin',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(work, name));
  const through = ['folder/secret.txt', 'folder/new.txt', 'self/file', 'up/outside/x', `root${outside}/x`];
  const further = [`process${outside}/secret.txt`, 'folder/d/y', 'self/self/folder/x', 'loop/x'];
  for (const path of [...Object.keys(links), ...through, ...further]) {
    for (const [tool, input] of AT_A_PATH) {
      const { isError, content } = await use(tool, input(path));
      expect([tool.spec.name, path, isError, content.includes(canary)]).toEqual([tool.spec.name, path, true, false]);
    }
  }
  const seen = [await use(grepTool, { pattern: 'canary' }), await use(globTool, { pattern: '**' })];
  expect(seen.map(({ content }) => content)).toEqual(['No line matches.', 'No file matches.']);
  expectNoEscape();
});

test('[C31] a snapshot keeps links as links, and bringing it back goes through none', async () => {
  const scenery = scene();
  const { work, outside, canary, expectNoEscape } = scenery;
  const { gitDir, store, record, restore } = await withStore(scenery);
  mkdirSync(join(work, 'd'));
  for (const name of ['secret.txt', 'x', 'd/y']) writeFileSync(join(work, name), 'mine');
  const plain = await record();
  rmSync(join(work, 'd'), { recursive: true });
  rmSync(join(work, 'x'));
  symlinkSync(join(outside, 'd'), join(work, 'd'));
  symlinkSync(join(outside, 'x'), join(work, 'x'));
  symlinkSync('/proc/self', join(work, 'proc'));
  const linked = await record();
  const described = describeFolder(work);
  await restore(plain.tree);
  expect(readFileSync(join(work, 'd/y'), 'utf8')).toBe('mine');
  await restore(linked.tree);
  expect(describeFolder(work)).toEqual(described);
  expect([...(await store.entries(linked.tree))].filter(([, { kind }]) => kind === 'link')).toHaveLength(3);
  expect(storeContent(gitDir)).not.toContain(canary);
  expectNoEscape();
});

test('[C36] a hard link to a file outside is not written by tools, and a restore leaves the other name bytes and mode', async () => {
  const scenery = scene();
  const { work, outside, canary, use, expectNoEscape } = scenery;
  const { record, restore } = await withStore(scenery);
  writeFileSync(join(work, 'twin'), 'mine');
  writeFileSync(join(work, 'mode'), canary, { mode: 0o755 });
  const { tree } = await record();
  for (const name of ['twin', 'mode']) {
    rmSync(join(work, name));
    linkSync(join(outside, name === 'twin' ? 'secret.txt' : 'x'), join(work, name));
  }
  const tries = [
    await use(writeFileTool, { path: 'twin', content: 'overwritten' }),
    await use(editFileTool, { path: 'twin', old: 'canary', new: 'overwritten' }),
  ];
  expect(tries.map(({ isError, content }) => [isError, content])).toEqual(
    tries.map(() => [true, 'twin has more than one name (a hard link), so it is not written.']),
  );
  await restore(tree);
  expect(readFileSync(join(work, 'twin'), 'utf8')).toBe('mine');
  expect(statSync(join(work, 'mode')).mode & 0o777).toBe(0o755);
  expectNoEscape();
});

test('[C34] pipes, sockets, devices and huge sparse files are refused at once, and a snapshot passes them by', async () => {
  const scenery = scene();
  const { work, use } = scenery;
  execFileSync('/usr/bin/env', ['mkfifo', join(work, 'pipe')]);
  const server = createServer().listen(join(work, 'socket'));
  onTestFinished(() => void server.close());
  writeFileSync(join(work, 'sparse'), '');
  truncateSync(join(work, 'sparse'), 2 ** 40);
  const odd = ['pipe', 'socket', 'sparse'];
  // Only root makes devices; the reading of one that is there is tried in `/dev` below.
  if (process.getuid?.() === 0) {
    try {
      execFileSync('/usr/bin/env', ['mknod', join(work, 'device'), 'c', '1', '5'], { stdio: 'ignore' });
      odd.push('device');
    } catch {
      // A container may forbid it.
    }
  }
  for (const path of odd) {
    const read = await use(readFileTool, { path });
    const edit = await use(editFileTool, { path, old: 'a', new: 'b' });
    expect([path, read.isError, edit.isError]).toEqual([path, true, true]);
  }
  for (const path of odd.filter((name) => name !== 'sparse')) {
    expect([path, (await use(writeFileTool, { path, content: 'x' })).isError]).toEqual([path, true]);
  }
  expect(await use(grepTool, { pattern: '.' })).toMatchObject({ isError: false });
  for (const path of ['zero', 'stdin', 'fd/0', 'full']) {
    expect([path, (await call(readFileTool, { path }, { folder: '/dev' })).isError]).toEqual([path, true]);
  }
  const { record, restore } = await withStore(scenery);
  const { tree, reports } = await record();
  expect(reports.map(({ path }) => path).sort()).toEqual(odd.sort());
  await restore(tree);
  expect(readdirSync(work).sort()).toEqual(odd);
});

test('[C35] names of every odd kind are stored exactly, and no tool shows a control character of one', async () => {
  const scenery = scene();
  const { work, use } = scenery;
  const texts = ['a\nb', '\u001b[31mred', 'x\u202etxt.exe', '\u200b', 'tab\t', '-rf', '*', 'é'.normalize('NFC')];
  const more = [
    'é'.normalize('NFD'),
    'Case',
    'case',
    '"quoted"',
    "it's",
    '$(id)',
    '`id`',
    'l'.repeat(255),
    '\u{e0041}',
  ];
  const bytes = [Buffer.from([0xff, 0x2e, 0x80]), Buffer.from([0x61, 0xc3, 0x28]), Buffer.from([0x1b, 0x9b, 0x07])];
  const names = [...[...texts, ...more].map((name) => Buffer.from(name)), ...bytes];
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${work}/`), name]), 'needle');
  const described = describeFolder(work);
  const answers = [
    await use(listFilesTool, {}),
    await use(globTool, { pattern: '**' }),
    await use(grepTool, { pattern: 'needle' }),
    await use(readFileTool, { path: 'missing\u001b[31m' }),
  ];
  for (const { content } of answers) expect(content.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  expect(answers[0]?.content.split('\n')).toHaveLength(names.length);
  expect(answers[2]?.content.split('\n')).toHaveLength(names.length);
  const { record, restore } = await withStore(scenery);
  const { tree } = await record();
  for (const name of readdirSync(work, { encoding: 'buffer' })) rmSync(Buffer.concat([Buffer.from(`${work}/`), name]));
  await restore(tree);
  expect(describeFolder(work)).toEqual(described);
});

test('[C37] files that steer programs of the user cannot be made, where they are missing too', async () => {
  const { work, use } = scene();
  const control = [
    '.git/config',
    '.git',
    '.git/hooks/post-commit',
    'sub/.git/config',
    '.troupe/config.yaml',
    '.troupe',
  ];
  const guises = [
    '.GIT/config',
    '.Git',
    '.g\u200cit/hooks/x',
    'a/b/.troupe/tools/x.ts',
    '.TROUPE/x',
    '.git/',
    './.git/x',
  ];
  for (const path of [...control, ...guises]) {
    const wrote = await use(writeFileTool, { path, content: 'x' });
    const edited = await use(editFileTool, { path, old: 'x', new: 'y' });
    expect([path, wrote.isError, edited.isError]).toEqual([path, true, true]);
  }
  expect(readdirSync(work)).toEqual([]);
});

test(
  '[C40] very many files and very large ones are capped, and everything else goes on',
  { timeout: 120_000 },
  async () => {
    const scenery = scene();
    const { base, work, use } = scenery;
    const count = 20_000;
    for (let at = 0; at < count; at += 1) {
      if (at % 1000 === 0) mkdirSync(join(work, `d${at / 1000}`));
      writeFileSync(join(work, `d${Math.floor(at / 1000)}/${at}`), 'tiny');
    }
    const lines = async (tool: Tool, input: JsonObject) => (await use(tool, input)).content.split('\n').length;
    expect(await lines(globTool, { pattern: '**' })).toBe(1001);
    expect(await lines(grepTool, { pattern: 'tiny' })).toBeLessThan(203);
    expect(await lines(listFilesTool, { path: 'd0' })).toBe(1000);
    const { record } = await withStore(scenery);
    expect((await record()).entries).toBe(count + count / 1000);

    const workspaces = createWorkspaces({ home: join(base, 'home'), settings: { maxFiles: 10_000 } });
    onTestFinished(() => workspaces.close());
    expect(await faultCode(workspaces.begin(work))).toBe('PROJECT_TOO_LARGE');
    const small = join(base, 'project');
    mkdirSync(small);
    writeFileSync(join(small, 'huge'), '');
    truncateSync(join(small, 'huge'), 3 * 1024 ** 3);
    expect(await faultCode(workspaces.begin(small))).toBe('PROJECT_TOO_LARGE');
    truncateSync(join(small, 'huge'), 0);
    expect(await workspaces.begin(small)).toMatchObject({ files: 1, skipped: [] });

    const content = 'x'.repeat(10 * 1024 * 1024 + 1);
    expect(await use(writeFileTool, { path: 'big', content })).toMatchObject({ isError: true });
    truncateSync(join(work, 'd0/0'), 17 * 1024 * 1024);
    expect(await use(readFileTool, { path: 'd0/0' })).toMatchObject({ isError: true });
    expect(await use(writeFileTool, { path: 'small', content: 'x' })).toMatchObject({ isError: false });
  },
);

test(
  '[C32] in thousands of reads and writes by tools against folders and files that turn into links, none escapes',
  { timeout: 120_000 },
  async (context) => {
    const missing = noSwapping();
    if (missing !== null) context.skip(missing);
    const { work, outside, canary, use, expectNoEscape } = scene();
    for (const name of ['swap/d', 'swap']) mkdirSync(join(work, name), { recursive: true });
    for (const name of ['swap/secret.txt', 'swap/x', 'swap/d/y', 'leaf']) writeFileSync(join(work, name), 'mine');
    const swapping = await startSwapping(work, { swap: outside, leaf: join(outside, 'secret.txt') });
    const tries: readonly (readonly [Tool, JsonObject])[] = [
      [readFileTool, { path: 'swap/secret.txt' }],
      [writeFileTool, { path: 'swap/x', content: 'mine' }],
      [readFileTool, { path: 'swap/d/y' }],
      [writeFileTool, { path: 'swap/d/new', content: 'mine' }],
      [readFileTool, { path: 'leaf' }],
      [writeFileTool, { path: 'leaf', content: 'mine' }],
      [editFileTool, { path: 'swap/d/y', old: 'mine', new: 'mine' }],
      [editFileTool, { path: 'swap/secret.txt', old: 'canary', new: 'overwritten' }],
      [listFilesTool, { path: 'swap/d' }],
    ];
    const seen = { tries: 0, done: 0, refused: 0, leaked: 0 };
    while (seen.tries < RACE_TRIES) {
      // Several at once, as parallel agents would.
      const batch = [tries, tries, tries, tries].flat().map(([tool, input]) => use(tool, input));
      for (const { isError, content } of await Promise.all(batch)) {
        seen.tries += 1;
        seen[isError ? 'refused' : 'done'] += 1;
        if (content.includes(canary)) seen.leaked += 1;
      }
      if (seen.tries % 3600 === 0) {
        for (const { content } of [
          await use(grepTool, { pattern: 'canary' }),
          await use(globTool, { pattern: '**' }),
        ]) {
          if (content.includes('canary')) seen.leaked += 1;
        }
      }
    }
    const swaps = await swapping.stop();
    expectNoEscape();
    expect(seen.leaked).toBe(0);
    // The race was a race: both sides won some of it.
    expect(swaps).toBeGreaterThan(1000);
    expect(seen.done).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(100);
    await context.annotate(`${seen.tries} tries, ${swaps} swaps, ${seen.refused} refused, 0 escapes`);
  },
);

test(
  '[C32] in thousands of reads and writes by record and restore against the same, none escapes',
  { timeout: 180_000 },
  async (context) => {
    const missing = noSwapping();
    if (missing !== null) context.skip(missing);
    const scenery = scene();
    const { work, outside, canary, expectNoEscape } = scenery;
    const { gitDir, record, restore } = await withStore(scenery);
    const folders = ['s0', 's1', 's2', 's3', 's4', 's5'];
    const fill = (content: string): void => {
      for (const name of folders) {
        mkdirSync(join(work, name, 'd'), { recursive: true });
        for (const file of ['x', 'z', 'd/y']) writeFileSync(join(work, name, file), content);
      }
      writeFileSync(join(work, 'leaf'), content);
    };
    const pairs = { ...Object.fromEntries(folders.map((name) => [name, outside])), leaf: join(outside, 'secret.txt') };
    for (const [name, target] of Object.entries(pairs)) symlinkSync(target, join(work, `${name}.link`));
    const trees: TreeId[] = [];
    for (const content of ['one', 'two']) {
      fill(content);
      trees.push((await record()).tree);
    }
    const swapping = await startSwapping(work, pairs, { restMs: 25 });
    const seen = { tries: 0, done: 0, refused: 0 };
    // A folder in memory is swapped so fast that a restore writes most files again: fewer restores make as many tries.
    for (let round = 0; seen.tries < RACE_TRIES || seen.done <= 100; round += 1) {
      const target = trees[round % 2];
      if (target === undefined) throw new Error('there are two trees');
      try {
        const { written, removed } = await restore(target);
        seen.done += 1;
        // What is written now is read the next time, for the picture of what was there.
        seen.tries += 2 * written + removed;
      } catch {
        seen.refused += 1;
      }
    }
    const swaps = await swapping.stop();
    expectNoEscape();
    expect(storeContent(gitDir)).not.toContain(canary);
    expect(swaps).toBeGreaterThan(1000);
    expect(seen.done).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(10);
    // Left alone, the folder is brought back exactly.
    await restore(trees[0] ?? trees[1] ?? ('' as TreeId));
    chmodSync(work, 0o755);
    expect(readFileSync(join(work, 's0/d/y'), 'utf8')).toBe('one');
    await context.annotate(`${seen.tries} tries, ${swaps} swaps, ${seen.refused} restores given up, 0 escapes`);
  },
);
