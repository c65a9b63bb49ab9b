import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createSandbox } from './sandbox.ts';

const PACKAGES = { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}' };

test('[A2] init writes the setup command of the lock file it finds, and the first run is not refused for it', async () => {
  const sandbox = createSandbox(PACKAGES);
  const init = await sandbox.troupe(['init']);
  expect(init.stdout).toContain('Setup: npm ci (package-lock.json).');
  expect(init.stdout).toContain('troupe trust --revoke');
  expect(init.stderr).not.toContain('troupe trust');
  expect(sandbox.read('.troupe/config.yaml')).toContain('\nsetup: "npm ci"\n');
  expect(await sandbox.troupe(['check', '.troupe/config.yaml'])).toMatchObject({ code: 0, stderr: '' });
  expect(await sandbox.troupe(['run', 'write_and_review', 'Explain journals', '--no-input'])).toMatchObject({
    code: 0,
  });
  // Any other command asks again.
  sandbox.write(
    '.troupe/config.yaml',
    sandbox.read('.troupe/config.yaml').replace('"npm ci"', '"npm ci && ./steal.sh"'),
  );
  const changed = await sandbox.troupe(['run', 'write_and_review', 'Explain journals', '--no-input']);
  expect(changed.stderr).toContain('PROJECT_UNTRUSTED');
});

test.each([
  ['code that others wrote', '.troupe/workflows/own.ts', 'export const x = 1;\n'],
  ['tools that others wrote', '.troupe/tools/own.js', 'export const x = 1;\n'],
])('[A2] [F64] init trusts nothing where the project has %s', async (_what, path, text) => {
  const sandbox = createSandbox({ ...PACKAGES, [path]: text });
  const init = await sandbox.troupe(['init']);
  expect(init.stdout).toContain('agree to all of it with: troupe trust');
  expect(init.stderr).toContain('troupe trust && troupe run');
  expect((await sandbox.troupe(['run', 'write_and_review', 'x', '--no-input'])).stderr).toContain('PROJECT_UNTRUSTED');
});

test('[A2] [F64] init leaves settings that others wrote untrusted', async () => {
  const sandbox = createSandbox({ ...PACKAGES, '.troupe/config.yaml': 'setup: ./steal.sh\n' });
  expect(JSON.parse((await sandbox.troupe(['init', '--json'])).stdout)).toMatchObject({ isTrusted: false });
  expect((await sandbox.troupe(['run', 'write_and_review', 'x', '--no-input'])).stderr).toContain('PROJECT_UNTRUSTED');
});

test('[A2] init tells programs what it found, and writes no setup where there is no lock file', async () => {
  const found = await createSandbox({ 'uv.lock': '', 'go.sum': '' }).troupe(['init', '--json']);
  expect(JSON.parse(found.stdout)).toMatchObject({ setup: 'uv sync --locked && go mod download' });
  const sandbox = createSandbox({});
  expect(JSON.parse((await sandbox.troupe(['init', '--json'])).stdout)).toMatchObject({ setup: null });
  expect(sandbox.read('.troupe/config.yaml')).toContain('\n# setup: npm ci\n');
});

test('[A2] doctor and a run say that workspaces have no packages where no setup is configured', async () => {
  const sandbox = createSandbox({});
  await sandbox.troupe(['init']);
  for (const [path, text] of Object.entries({ ...PACKAGES, '.gitignore': 'node_modules\n' })) sandbox.write(path, text);
  sandbox.write('node_modules/x/index.js', '');
  spawnSync('git', ['init', '-q'], { cwd: sandbox.project });
  const line = 'no setup is configured: workspaces have no node_modules, so tests in them fail.';
  expect((await sandbox.troupe(['doctor'])).stdout).toContain(line);
  const run = await sandbox.troupe(['run', 'coder_reviewer', 'Add a health check', '--no-input']);
  expect(run.code).toBe(0);
  expect(`${run.stdout}${run.stderr}`.split(line)).toHaveLength(2);
});
