import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../../core/model/ids.ts';
import { testProject, writeFiles } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { asText } from '../files/text-path.ts';
import { usersCopies } from './users-copies.ts';

type Files = Readonly<Record<string, string>>;

/** The user's project, and an implementer's version of it: null deletes. */
async function copies(
  files: Files,
  change: Readonly<Record<string, string | null>>,
  order: { readonly command: string; readonly protect?: readonly string[] },
) {
  const { project, home } = testProject(files);
  const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
  onTestFinished(() => workspaces.close());
  const { tree: base } = await workspaces.begin(project);
  const workspace = await workspaces.open({ root: runId('r1'), name: 'impl_1', project, tree: base });
  for (const [path, content] of Object.entries(change)) {
    if (content === null) rmSync(join(workspace.folder, path), { recursive: true });
    else writeFiles(workspace.folder, { [path]: content });
  }
  const tree = await workspace.record();
  const store = await workspaces.store(project);
  const found = await usersCopies(store, { base, tree, protect: [], ...order });
  const seen: Record<string, string> = {};
  for (const [path, entry] of await store.entries(found.tree))
    if (entry.kind === 'file') seen[asText(path)] = (await store.read(entry.blob)).toString('utf8');
  return { ...found, seen, isSame: found.tree === tree };
}

const PACKAGE = JSON.stringify({ name: 'a', scripts: { test: 'node --test' } });

test('[L4] tests that were there are those of the user, changed or deleted; new ones are the implementer’s', async () => {
  const found = await copies(
    { 'test/a.test.js': 'assert(1);\nassert(2);\n', 'src/b.spec.ts': 'one\n', 'src/a.js': 'old' },
    { 'test/a.test.js': 'assert(1);\n', 'src/b.spec.ts': null, 'src/a.js': 'new', 'test/new.test.js': 'mine' },
    { command: 'node --test' },
  );
  expect(found.tampered).toEqual([
    { path: 'src/b.spec.ts', how: 'deleted' },
    { path: 'test/a.test.js', how: 'changed' },
  ]);
  expect(found.seen).toEqual({
    'test/a.test.js': 'assert(1);\nassert(2);\n',
    'src/b.spec.ts': 'one\n',
    'src/a.js': 'new',
    'test/new.test.js': 'mine',
  });
});

test('[L4] a test that only grew is no fault, but the user’s copy still counts', async () => {
  const found = await copies(
    { 'test/a.test.js': 'one\ntwo\n' },
    { 'test/a.test.js': 'process.exit(0)\none\ntwo\nthree\n' },
    { command: 'node --test' },
  );
  expect(found).toMatchObject({ tampered: [], extended: ['test/a.test.js'], seen: { 'test/a.test.js': 'one\ntwo\n' } });
});

test('[L4] the scripts of package.json are the user’s, everything else in it the implementer’s', async () => {
  const made = {
    name: 'a',
    scripts: { test: 'true', pretest: 'rm -rf test', posttest: 'true', build: 'tsc' },
    dependencies: { left: '1' },
    jest: { testMatch: [] },
  };
  const found = await copies(
    { 'package.json': PACKAGE },
    { 'package.json': JSON.stringify(made) },
    { command: 'npm test' },
  );
  expect(found.tampered).toEqual([{ path: 'package.json', how: 'changed' }]);
  expect(JSON.parse(found.seen['package.json'] ?? '')).toEqual({
    name: 'a',
    scripts: { test: 'node --test', build: 'tsc' },
    dependencies: { left: '1' },
  });
});

test('[L4] a new script and a new dependency are no tampering', async () => {
  const made = { name: 'a', scripts: { test: 'node --test', build: 'tsc' }, dependencies: { left: '1' } };
  const found = await copies(
    { 'package.json': PACKAGE, 'test/a.test.js': '' },
    { 'package.json': JSON.stringify(made) },
    { command: 'npm test' },
  );
  expect(found).toMatchObject({ tampered: [], isSame: true });
});

test.for([
  ['a script that the command starts', 'scripts/check.sh', './scripts/check.sh'],
  ['one that a shell runs', 'check', 'CI=1 sh -e check && true'],
  ['one that an interpreter runs', 'scripts/run-tests.mjs', 'node --enable-source-maps scripts/run-tests.mjs'],
  ['one that a script of package.json leads to', 'tools/go.py', 'npm run -s verify'],
  ['a Makefile', 'Makefile', 'make check'],
  ['the settings of a runner', 'vitest.config.ts', 'npx vitest run'],
  ['what the user named', 'vectors/bip.json', 'npm start'],
] as const)('[L4] %s is the user’s', async ([, path, command]) => {
  const scripts = { verify: 'npm run inner', inner: 'python3 tools/go.py' };
  const found = await copies(
    { [path]: 'good\n', 'package.json': JSON.stringify({ scripts }) },
    { [path]: 'bad\n' },
    { command, protect: ['vectors'] },
  );
  expect(found).toMatchObject({ tampered: [{ path, how: 'changed' }], seen: { [path]: 'good\n' } });
});

test.for([
  ['what the command checks', 'src/main.ts', 'node src/main.ts'],
  ['a written specification', 'docs/spec/rules.md', 'npm test'],
  ['a Makefile that the command does not use', 'Makefile', 'npm test'],
  ['a script that the command does not lead to', 'scripts/build.mjs', 'npm test'],
] as const)('[L4] %s is the implementer’s', async ([, path, command]) => {
  const scripts = { test: 'node --test', build: 'node scripts/build.mjs' };
  const found = await copies(
    { [path]: 'old\n', 'package.json': JSON.stringify({ scripts }) },
    { [path]: 'new\n' },
    { command },
  );
  expect(found).toMatchObject({ tampered: [], isSame: true });
});

test('[L4] files that the user frees belong to the implementer', async () => {
  const found = await copies(
    { 'test/a.test.js': 'old', 'test/b.test.js': 'old' },
    { 'test/a.test.js': 'new', 'test/b.test.js': 'new' },
    { command: 'node --test', protect: ['!test/a.*'] },
  );
  expect(found.tampered).toEqual([{ path: 'test/b.test.js', how: 'changed' }]);
  expect(found.seen).toEqual({ 'test/a.test.js': 'new', 'test/b.test.js': 'old' });
});

test('[L4] new settings that would steer the tests that were there are left out', async () => {
  const steering = { '.npmrc': 'script-shell=/bin/true', 'test/conftest.py': 'pytest.skip' };
  const found = await copies({ 'test/test_a.py': 'old' }, steering, { command: 'pytest' });
  expect(found.tampered).toEqual([
    { path: '.npmrc', how: 'added' },
    { path: 'test/conftest.py', how: 'added' },
  ]);
  expect(Object.keys(found.seen)).toEqual(['test/test_a.py']);
});

test('[L4] in a project without tests, the tests and how they run are part of the work', async () => {
  const made = { 'package.json': '{"scripts":{"test":"vitest"}}', 'vitest.config.ts': 'x', 'test/a.test.ts': 'y' };
  expect(await copies({ 'README.md': '' }, made, { command: 'npm test' })).toMatchObject({
    tampered: [],
    isSame: true,
  });
});

test('[L4] a folder of tests that is gone, or is a file now, is a folder of tests again', async () => {
  const tests = { 'test/a.test.js': 'old' };
  for (const change of [{ test: null }, { test: null, './test': 'a file' }]) {
    const found = await copies({ ...tests, 'src/x': '' }, change, { command: 'node --test' });
    expect(found.tampered).toEqual([{ path: 'test/a.test.js', how: 'deleted' }]);
    expect(found.seen).toEqual({ ...tests, 'src/x': '' });
  }
});

test('[L4] of pyproject.toml only what steers the tests is the user’s', async () => {
  const found = await copies(
    { 'pyproject.toml': '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n' },
    {
      'pyproject.toml': '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "--co"\n',
    },
    { command: 'pytest' },
  );
  expect(found.tampered).toEqual([{ path: 'pyproject.toml', how: 'changed' }]);
  expect(found.seen['pyproject.toml']).toBe(
    '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
  );
});
