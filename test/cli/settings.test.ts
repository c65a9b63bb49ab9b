import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitProject, writingProject } from './file-projects.ts';
import { scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines } from './sandbox.ts';

/** What settings say, as a person meets it: checked before anything begins, reported in their words. */

const MODELS = 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n';

const HOLDING = {
  ...TWO_STEPS,
  agents: [{ agent_role: 'worker', context: 'talk', role: 'assistant', holds: ['devise'] }],
};

test(
  '[Q9] an undeclared resource is refused by check and by run, before anything starts',
  { timeout: 120_000 },
  async () => {
    const sandbox = scriptedProject({
      '.troupe/config.yaml': `${MODELS}resources: { device: { kind: mutex } }\n`,
      '.troupe/workflows/two_steps.json': JSON.stringify(HOLDING, null, 2),
    });
    const checked = await sandbox.troupe(['check', '.troupe/workflows/two_steps.json']);
    const run = await sandbox.troupe(['run', 'two_steps', 'x']);
    for (const { code, text } of [
      { code: checked.code, text: checked.stdout },
      { code: run.code, text: run.stderr },
    ]) {
      expect(code).toBe(2);
      expect(text).toMatch(/two_steps\.json:\d+:\d+ {2}RESOURCE_UNKNOWN .*"devise".*Did you mean "device"\?/);
    }
    expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
    sandbox.write('.troupe/config.yaml', `${MODELS}resources: { devise: { kind: mutex } }\n`);
    expect((await sandbox.troupe(['run', 'two_steps', 'x'])).code).toBe(0);
  },
);

test('[L3] settings that cannot be are reported by check and by run alike, with file and line', async () => {
  const bad = `${MODELS}web:\n  allow: ["https://example.org/docs"]\nworkflows: [nowhere]\nnotfy: true\n`;
  const sandbox = scriptedProject({ '.troupe/config.yaml': bad });
  const { code, stdout } = await sandbox.troupe(['check', '.troupe/config.yaml'], { folder: sandbox.project });
  const run = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect([code, run.code]).toEqual([2, 2]);
  expect(run.stderr).toMatch(/config\.yaml:4:\d+ {2}VALUE_INVALID .*without http/);
  expect(run.stderr).toMatch(/config\.yaml:6:1 {2}KEY_UNKNOWN .*Did you mean "notify"/);
  expect(`${stdout}${run.stderr}`).not.toContain('at Object.');
});

test('[L3] a path in the settings that is not there is reported with its line', async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': `${MODELS}roles: [more/roles.json]\n` });
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/config\.yaml:3:\d+ {2}PATH_MISSING .*more\/roles\.json/);
});

test('[L8] a project may ask for as much as the user has, and `best` is less than bubblewrap', async () => {
  const sandbox = scriptedProject({ '.troupe/config.yaml': `${MODELS}sandbox: best\n` });
  const weaker = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect([weaker.code, weaker.stderr.includes('SANDBOX_WEAKENED')]).toEqual(
    process.platform === 'linux' ? [2, true] : [0, false],
  );
  sandbox.write('../home/.config/troupe/config.yaml', 'sandbox: best\n');
  expect((await sandbox.troupe(['run', 'two_steps', 'x'])).code).toBe(0);
});

test.each([
  ['prune', '--keep', '1.5'],
  ['prune', '--keep', '-1'],
  ['run', 'two_steps', 'x', '--max-iterations', '0'],
  ['run', 'two_steps', 'x', '--max-tokens', '1.5'],
  ['run', 'two_steps', 'x', '--max-duration', '0'],
  ['list', '--limit', '2.5'],
])('[U3] numbers that cannot be are bad usage: %s %s %s %s %s', async (...words) => {
  const sandbox = scriptedProject();
  const { code, stderr } = await sandbox.troupe(words.filter((word) => word !== undefined));
  expect(code).toBe(2);
  expect(stderr).toMatch(/whole number|above zero|zero or more/);
  expect(existsSync(join(sandbox.home, 'runs'))).toBe(false);
});

test(
  '[SM7] a workflow of another project finds the roles of that project, and roles beside it',
  { timeout: 120_000 },
  async () => {
    const roles = JSON.stringify({ stranger: { systemMessage: 'You are from elsewhere.' } });
    const flow = {
      ...TWO_STEPS,
      workflow_name: 'far',
      agents: [{ agent_role: 'stranger', context: 'talk', role: 'assistant' }],
    };
    const states = flow.states.map((state) => (state.agent === undefined ? state : { ...state, agent: 'stranger' }));
    const text = JSON.stringify({ ...flow, states });
    const sandbox = scriptedProject({
      'other/far.json': text,
      'other/.troupe/roles/roles.json': roles,
      'beside/far.json': text,
      'beside/roles/roles.json': roles,
      'lonely/far.json': text,
    });
    expect((await sandbox.troupe(['check', 'other/far.json', 'beside/far.json'])).code).toBe(0);
    expect((await sandbox.troupe(['run', 'other/far.json', 'x'])).code).toBe(0);
    expect((await sandbox.troupe(['run', 'beside/far.json', 'x'])).code).toBe(0);
    const { code, stderr } = await sandbox.troupe(['run', 'lonely/far.json', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('Roles are looked for in .troupe/roles, lonely/.troupe/roles, lonely/roles.');
  },
);

test(
  '[PD1] [L3] a setup that fails pauses the run with what to do, which then goes on with or without it',
  { timeout: 120_000 },
  async () => {
    const sandbox = writingProject({ '.troupe/config.yaml': `${MODELS}setup: echo what is missing; exit 7\n` });
    await sandbox.troupe(['trust', '--yes']);
    const failed = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
    const [started] = jsonLines(failed.stdout);
    const run = String(started?.['run']);
    expect(failed.code).toBe(3);
    const output = `${failed.stdout}${failed.stderr}`;
    for (const part of ['SETUP_FAILED', 'exit code 7', 'what is missing', '--no-setup']) expect(output).toContain(part);
    expect((await sandbox.troupe(['resume', run])).code).toBe(3);
    expect((await sandbox.troupe(['resume', run, '--no-setup'])).code).toBe(0);
    const other = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
    sandbox.write('.troupe/config.yaml', `${MODELS}setup: "true"\n`);
    await sandbox.troupe(['trust', '--yes']);
    expect((await sandbox.troupe(['resume', String(jsonLines(other.stdout)[0]?.['run'])])).code).toBe(0);
  },
);

test(
  '[PD1] what setup makes is there for the agents and not in the result; a file of the project it changes is reported',
  { timeout: 120_000 },
  async () => {
    const setup = 'setup: mkdir -p gen && echo made > gen/out && echo changed > src/other.txt\n';
    const sandbox = gitProject({ '.troupe/config.yaml': `${MODELS}${setup}` });
    await sandbox.troupe(['trust', '--yes']);
    const { code, stdout, stderr } = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain('which were put back: src/other.txt');
    const run = String(jsonLines(stdout)[0]?.['run']);
    expect(readdirSync(join(sandbox.home, 'runs', run, 'work/gen'))).toEqual(['out']);
    const { stdout: changed } = await sandbox.troupe(['diff', run, '--stat']);
    expect(changed).toContain('src/made.txt');
    expect(changed).not.toMatch(/gen|other/);
    expect((await sandbox.troupe(['diff', run, '--stat', '--disk'])).stdout).not.toMatch(/gen|other/);
  },
);

test(
  '[L8] trust shows what it would allow, asks, and does nothing where no person can be asked',
  { timeout: 120_000 },
  async () => {
    const sandbox = scriptedProject({
      '.troupe/config.yaml': `${MODELS}  far: { provider: openai-compatible, base_url: "https://m.example/v1", model: m, api_key_env: MY_KEY }\nnotify: say hello\n`,
      '.troupe/tools/a.ts': `// The tool a\n${'//\n'.repeat(100)}`,
      '.troupe/tools/b.ts': `//${' '.repeat(198)}run()\n${'//\n'.repeat(40)}`,
    });
    const asked = await sandbox.troupe(['trust']);
    expect(asked.code).toBe(2);
    for (const part of [
      'CONFIRM_NEEDED',
      '--yes',
      '`say hello`',
      'the key in MY_KEY to https://m.example/v1',
      'code: .troupe/tools/a.ts\n    | // The tool a\n    | //\n',
      '    (61 more lines)\n',
      `    | //${' '.repeat(198)}… (5 more characters)\n`,
      '    (1 more line)\n',
    ]) {
      expect(asked.stderr).toContain(part);
    }
    expect((await sandbox.troupe(['run', 'two_steps', 'x'])).stderr).toContain('PROJECT_UNTRUSTED');
    const json = await sandbox.troupe(['trust', '--yes', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      state: 'trusted',
      powers: [{ setting: 'notify' }, { setting: 'models.far' }],
    });
    expect((await sandbox.troupe(['run', 'two_steps', 'x'])).stderr).not.toContain('PROJECT_UNTRUSTED');
    await sandbox.troupe(['trust', '--revoke']);
    const refused = await sandbox.troupe(['run', 'two_steps', 'x', '--json']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"code":"PROJECT_UNTRUSTED"');
  },
);

test('[L3] a tool that the settings take away and that does not exist is reported, once', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml': `${MODELS}tools: { exclude: [execute_terminl, web_fetch] }\n`,
  });
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'tools.exclude names "execute_terminl", which is not a tool here. Did you mean "execute_terminal"?',
  );
  expect(stderr.split('tools.exclude names')).toHaveLength(2);
  expect(stderr).not.toContain('"web_fetch"');
});

const REPORTING = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: write_file, arguments: { path: out/report.md, content: "found\\n" } }
          - { name: write_file, arguments: { path: out/local.conf, content: "by the agent\\n" } }
      - say: Written.
  - reply: Done.
`;

test(
  '[PD1] [U1] what agents put into a folder that setup made is part of the result; what they change of setup’s is reported',
  { timeout: 120_000 },
  async () => {
    const setup = 'setup: mkdir out; echo made > out/local.conf; touch out/.keep\n';
    const sandbox = gitProject({ '.troupe/config.yaml': `${MODELS}${setup}`, 'answers.yaml': REPORTING });
    await sandbox.troupe(['trust', '--yes']);
    const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'x', '--apply']);
    expect(code).toBe(0);
    expect(sandbox.read('out/report.md')).toBe('found\n');
    expect(existsSync(join(sandbox.project, 'out/local.conf'))).toBe(false);
    expect(stderr).toMatch(
      /note: out\/local\.conf: changed, but it is what setup made.*take it from \/.*out\/local\.conf/,
    );
    expect(stderr).not.toContain('note: out/.keep');
    const merged = await sandbox.troupe(['deliver', 'last', '--json']);
    expect(jsonLines(merged.stdout)[0]?.['leftOut']).toEqual([expect.objectContaining({ path: 'out/local.conf' })]);
  },
);

test('[L11] revoking trust says what follows, and that there was none to revoke', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\nnotify: echo hi\n',
  });
  const none = await sandbox.troupe(['trust', '--revoke']);
  expect(none).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^not trusted: .*\n {2}\(it was not before either/),
  });
  await sandbox.troupe(['trust', '--yes']);
  const revoked = await sandbox.troupe(['trust', '--revoke']);
  expect(revoked.stdout).toMatch(/^no longer trusted: .*\n {2}Its code does not run .*: troupe trust\n$/);
  expect((await sandbox.troupe(['run', 'two_steps', 'x'])).stderr).toContain('PROJECT_UNTRUSTED');
});
