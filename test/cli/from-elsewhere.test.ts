import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writingProject, writingRun } from './file-projects.ts';
import { ASK_THEN_WORK, ASKING, scriptedProject } from './projects.ts';
import type { Sandbox } from './sandbox.ts';
import { jsonLines } from './sandbox.ts';

/** A second project, whose settings would give another answer. */
function withAnother(sandbox: Sandbox): string {
  sandbox.write('../another/answers.yaml', 'rules: [{ reply: From the wrong project. }]');
  const config = sandbox.write(
    '../another/.troupe/config.yaml',
    'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
  );
  return join(config, '../..');
}

const runIn = async (sandbox: Sandbox, file: string, ...words: readonly string[]): Promise<string> =>
  String(jsonLines((await sandbox.troupe(['run', file, '--json', ...words])).stdout)[0]?.['run']);

test('[L6] a run is answered from any folder with the models of its project', async () => {
  const sandbox = scriptedProject({ 'answers.yaml': 'rules: [{ reply: From its own. }]', 'asking.ts': ASK_THEN_WORK });
  const folder = withAnother(sandbox);
  const run = await runIn(sandbox, 'asking.ts');
  expect(await sandbox.troupe(['answer', run, 'red'], { folder })).toMatchObject({
    code: 0,
    stdout: 'From its own.\n',
  });
});

test('[L6] [L8] a run continues from any folder with the settings of its project, and only where those are trusted', async () => {
  const sandbox = writingProject();
  const folder = withAnother(sandbox);
  const run = await runIn(sandbox, 'two_steps', 'x', '--max-tool-rounds', '1');
  sandbox.write(
    '.troupe/config.yaml',
    'models:\n  base: { provider: scripted, scenario: answers.yaml }\nweb: { allow: ["10.0.0.1:81"] }\n',
  );
  const refused = await sandbox.troupe(['resume', run, '--max-tool-rounds', '9'], { folder });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('10.0.0.1:81') });
  await sandbox.troupe(['trust', '--yes']);
  const resumed = await sandbox.troupe(['resume', run, '--max-tool-rounds', '9', '--out', 'made'], { folder });
  expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  // What the command line names is still found from where it was given.
  expect(sandbox.read('../another/made/src/made.txt')).toContain('changed again');
});

test('[L6] settings of the folder one stands in are no obstacle to ending a run of another project', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const folder = withAnother(sandbox);
  const run = await runIn(sandbox, 'asking.ts');
  sandbox.write('../another/.troupe/config.yaml', 'models: [no\n');
  expect(await sandbox.troupe(['cancel', run], { folder })).toMatchObject({ code: 0, stderr: expect.any(String) });
});

test('[L8] where a project cannot be trusted, its runs are merged, rolled back and ended; none goes on', async () => {
  const sandbox = writingProject({ 'asking.ts': ASKING });
  sandbox.write(
    '.troupe/config.yaml',
    'models:\n  base: { provider: scripted, scenario: answers.yaml }\nsetup: "true"\n',
  );
  await sandbox.troupe(['trust', '--yes']);
  const { run } = await writingRun(sandbox);
  const open = await runIn(sandbox, 'asking.ts');
  mkdirSync(join(sandbox.project, '.troupe/tools/node_modules/.bin'), { recursive: true });
  symlinkSync('../x.js', join(sandbox.project, '.troupe/tools/node_modules/.bin/x'));
  expect(await sandbox.troupe(['deliver', run, '--apply'])).toMatchObject({ code: 0, stderr: expect.any(String) });
  expect(sandbox.read('src/made.txt')).toContain('changed again');
  expect(await sandbox.troupe(['rollback', run, '--yes'])).toMatchObject({ code: 0, stderr: expect.any(String) });
  for (const words of [
    ['trust', '--yes'],
    ['resume', open],
    ['run', 'two_steps', 'x'],
  ]) {
    const refused = await sandbox.troupe(words);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('PROJECT_NOT_TRUSTABLE') });
  }
  expect(await sandbox.troupe(['cancel', open])).toMatchObject({ code: 0, stderr: expect.any(String) });
});
