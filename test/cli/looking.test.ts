import { createActor, createMachine, fromPromise, waitFor } from 'xstate';
import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

test('[U1] list shows the newest first, with status, cost and what it is about', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'The first task']);
  await sandbox.troupe(['run', 'two_steps', 'The second task']);
  const { stdout } = await sandbox.troupe(['list']);
  const rows = stdout.trim().split('\n');
  expect(rows).toHaveLength(3);
  expect(rows[1]).toMatch(/ok\s+two_steps\s+\$0\.00\s+\S+\s+The second task/);
  expect(rows[2]).toContain('The first task');
});

test('[U1] a run is named by a unique beginning of its id, or as last', async () => {
  const sandbox = scriptedProject();
  const run = String(jsonLines((await sandbox.troupe(['run', 'two_steps', 'x', '--json'])).stdout)[0]?.['run']);
  for (const name of [run, run.slice(0, 4), 'last']) {
    expect((await sandbox.troupe(['show', name])).stdout).toContain(run);
  }
});

test('[U1] logs print what was said in full, for one agent or all', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'Hello there']);
  const all = await sandbox.troupe(['logs', 'last']);
  expect(all.stdout).toMatch(/worker: ← Hello there\n.*worker: A long answer\./);
  expect(all.stdout).toContain('settled: ok');
  const one = await sandbox.troupe(['logs', 'last', '--agent', 'worker', '--follow']);
  expect(one.stdout).not.toContain('settled');
  const unknown = await sandbox.troupe(['logs', 'last', '--agent', 'nobody']);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/AGENT_UNKNOWN[^]*worker/);
});

test('[U1] list takes every status it shows, and shows the runs of this project', async () => {
  const sandbox = scriptedProject({ 'elsewhere/.troupe/config.yaml': '' });
  await sandbox.troupe(['run', 'two_steps', 'One task']);
  expect((await sandbox.troupe(['list', '--status', 'ok'])).stdout).toContain('One task');
  expect((await sandbox.troupe(['list', '--status', 'settled'])).stdout).toContain('One task');
  expect((await sandbox.troupe(['list', '--status', 'stopped'])).stdout).toBe('');
  const folder = `${sandbox.project}/elsewhere`;
  const other = await sandbox.troupe(['list'], { folder });
  expect(other).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('1 run of another project; --all shows it'),
  });
  expect((await sandbox.troupe(['list', '--all'], { folder })).stdout).toContain('One task');
  expect((await sandbox.troupe(['show', 'last'], { folder })).stderr).toContain('This project has no runs yet');
});

test('[U1] show tells each error and a repeated state once, with how often', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml':
      'models:\n  base: { provider: scripted, scenario: answers.yaml }\nretry: { base_ms: 1, max_ms: 1, tries: { server: 3 } }\n',
    'answers.yaml': 'rules: [{ reply: { status: 500 } }]',
  });
  const { stderr } = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(stderr.match(/\[worker\]/g)).toHaveLength(3);
  expect(stderr).toMatch(/[^.]\. Trying again in \d ms\./);
  const { stdout } = await sandbox.troupe(['show', 'last']);
  expect(stdout.match(/^error /gm)).toHaveLength(1);
  expect(stdout).toMatch(/^started {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, took/m);
  expect(stdout).not.toContain('none yet');
});

test('[U1] watch tells a finished run from its beginning and ends with its exit code', async () => {
  const sandbox = scriptedProject({ 'answers.yaml': 'rules: [{ reply: { status: 401 } }]' });
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const watched = await sandbox.troupe(['watch', 'last']);
  expect(watched.code).toBe(1);
  expect(watched.stderr).toContain('two_steps started');
  expect(watched.stderr).toContain('✗ failed after');
});

test('[U1] graph draws a picture as SVG, laid out as on the web page', async () => {
  const { code, stdout, stderr } = await scriptedProject().troupe(['graph', 'coder_reviewer', '--format', 'svg']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
  expect(stdout.trimEnd().endsWith('</svg>')).toBe(true);
  expect(stdout).toContain('>review</text>');
});

test('[U1] graph draws Mermaid, the model as JSON, and a machine that XState accepts', async () => {
  const sandbox = scriptedProject();
  const mermaid = await sandbox.troupe(['graph', 'coder_reviewer']);
  expect(mermaid.stdout).toMatch(/^stateDiagram-v2\n/);
  expect(mermaid.stdout).toContain('[*] --> s0');
  const json = await sandbox.troupe(['graph', 'two_steps', '--format', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ name: 'two_steps', start: 'start' });
  const { stdout } = await sandbox.troupe(['graph', '.troupe/workflows/two_steps.json', '--format', 'xstate']);
  const config = JSON.parse(stdout) as Parameters<typeof createMachine>[0];
  const machine = createMachine(config).provide({
    actors: { turn: fromPromise(async () => 'said') },
    actions: { script: () => undefined },
  });
  const settled = await waitFor(createActor(machine).start(), (snapshot) => snapshot.status === 'done');
  expect(settled.value).toBe('stop');
});

test('[SM8] a new file in the workflow folder is a new workflow, beside the shipped ones', async () => {
  const sandbox = scriptedProject();
  const { stdout } = await sandbox.troupe(['workflows', '--json']);
  const { items } = JSON.parse(stdout) as {
    readonly items: readonly { readonly name: string; readonly origin: string }[];
  };
  const names = items.map(({ name, origin }) => `${name} ${origin}`);
  expect(names).toEqual(
    expect.arrayContaining([
      'two_steps project',
      'coder_reviewer shipped',
      'product_manager_coder shipped',
      'hierarchical_development shipped',
      'parallel_analysis_shared shipped',
    ]),
  );
});

test('[U1] doctor looks at the machine, the journal, the models and the trust', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const { code, stdout } = await sandbox.troupe(['doctor', '--json']);
  expect(code).toBe(0);
  const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly about: string }[] };
  const about = items.map((finding) => finding.about);
  expect([...new Set(about)]).toEqual([
    'troupe',
    'node',
    'journal',
    'sandbox',
    'git',
    'files',
    'config',
    'model',
    'agent',
    'trust',
    'roles',
    'workflows',
  ]);
});

test('[L8] doctor tries out every sandbox, and show tells which one a run had', async () => {
  const sandbox = scriptedProject();
  const { stdout } = await sandbox.troupe(['doctor']);
  for (const level of ['bubblewrap', 'landlock', 'none']) expect(stdout).toMatch(new RegExp(`sandbox +${level}: `));
  expect(stdout.match(/\(used for commands\)/g)).toHaveLength(1);
  await sandbox.troupe(['run', 'two_steps', 'x', '--sandbox', 'none']);
  expect((await sandbox.troupe(['show', 'last'])).stdout).toMatch(/^sandbox {3}none$/m);
});

test('[U1] doctor calls a bad configuration and a missing key errors', async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': 'modles: {}\n' });
  expect(await sandbox.troupe(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('modles') });
  sandbox.write('.troupe/config.yaml', 'models:\n  base: { provider: anthropic, model: any, api_key_env: SOME_KEY }\n');
  expect(await sandbox.troupe(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('SOME_KEY') });
});

test('[U4] script-model serves a scenario on loopback until it is stopped', async () => {
  const sandbox = scriptedProject();
  const running = sandbox.start(['script-model', '--port', '0', '--scenario', 'answers.yaml', '--json']);
  const { value } = await running.lines.next();
  const { url } = JSON.parse(String(value)) as { readonly url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  sandbox.write('.troupe/config.yaml', `models:\n  base: { provider: anthropic, base_url: "${url}/v1", model: any }\n`);
  expect(await sandbox.troupe(['run', 'two_steps', 'x'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
