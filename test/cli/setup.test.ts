import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createSandbox } from './sandbox.ts';

const PACKAGES = { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}' };

test('[A2] init writes the setup command of the lock file it finds, which acts once the user has agreed', async () => {
  const sandbox = createSandbox(PACKAGES);
  const init = await sandbox.troupe(['init']);
  expect(init.stdout).toContain('Setup: npm ci (package-lock.json).');
  expect(init.stderr).toContain('troupe trust && troupe run');
  expect(sandbox.read('.troupe/config.yaml')).toContain('\nsetup: "npm ci"\n');
  expect(await sandbox.troupe(['check', '.troupe/config.yaml'])).toMatchObject({ code: 0, stderr: '' });
  const run = await sandbox.troupe(['run', 'write_and_review', 'Explain journals', '--no-input']);
  expect(run.stderr).toContain('setup runs `npm ci` in every new workspace');
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
