import { expect, test } from 'vitest';
import { TWO_STEPS } from './projects.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** A workflow with an unknown key, an unknown state, an unknown role and an unknown workflow. */
const SPOILT = `workflow_name: spoilt
contexts: [{ name: talk }]
agents:
  - { agent_role: worker, context: talk, role: assistant }
  - { agent_role: workr, context: talk, role: user }
  - { agent_role: worker2, contxt: talk, role: user, actor: codx }
states:
  - name: start
    agent: worker
    tiemout_s: 3
    transition: [{ target: call }, { target: stpo }]
  - name: call
    action: { sub_workflow: two_step }
    transition: [{ target: stop }]
`;

const WORKER = `---
level: base
actor: codx
followups:
  - worker
  - reviwer
tasks: [helper, helpr]
---
You work.
`;

const project = (files: Readonly<Record<string, string>>): Sandbox =>
  createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS, null, 2),
    '.troupe/roles/worker.md': 'You work.',
    '.troupe/roles/helper.md': 'You help.',
    'answers.yaml': 'rules: []\n',
    ...files,
  });

const lines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => /^(?:error +\w+ +)?(\S+) {2}(\w+) {2}/.exec(line)?.slice(1, 3).join(' ') ?? []);

test('[U6] check tells what is wrong in the shape of a file and what it names wrongly in one pass', async () => {
  const sandbox = project({ 'spoilt.yaml': SPOILT });
  const { code, stdout } = await sandbox.troupe(['check', 'spoilt.yaml']);
  expect(code).toBe(2);
  expect(lines(stdout).toSorted()).toEqual([
    'spoilt.yaml:10:5 KEY_UNKNOWN',
    'spoilt.yaml:11:46 STATE_UNKNOWN',
    'spoilt.yaml:12:5 WORKFLOW_UNKNOWN',
    'spoilt.yaml:5:19 ROLE_UNKNOWN',
    'spoilt.yaml:6:19 ROLE_UNKNOWN',
    'spoilt.yaml:6:28 KEY_UNKNOWN',
    'spoilt.yaml:6:5 KEY_MISSING',
  ]);
});

test('[U6] check tells what a role names wrongly where the role was written', async () => {
  const sandbox = project({ '.troupe/roles/worker.md': WORKER });
  const expected = [
    '.troupe/roles/worker.md:3:8 ACTOR_UNKNOWN',
    '.troupe/roles/worker.md:6:5 ROLE_UNKNOWN',
    '.troupe/roles/worker.md:7:17 ROLE_UNKNOWN',
  ];
  for (const file of ['.troupe/workflows/two_steps.json', '.troupe/roles/worker.md']) {
    const { code, stdout } = await sandbox.troupe(['check', file]);
    expect({ file, code, problems: lines(stdout).toSorted() }).toEqual({ file, code: 2, problems: expected });
    expect(stdout).toContain('Did you mean "helper"?');
  }
  expect((await sandbox.troupe(['check', '.troupe/roles/helper.md'])).stdout).toBe('.troupe/roles/helper.md: ok\n');
});

test('[U6] a run is refused for it at the same place, unless the command line says otherwise', async () => {
  const role = '---\nlevel: base\nactor: codx\n---\nYou work.';
  const sandbox = project({ '.troupe/roles/worker.md': role, 'answers.yaml': 'rules: [{ reply: Done. }]\n' });
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(code).toBe(2);
  expect(stderr).toContain('.troupe/roles/worker.md:3:8  ACTOR_UNKNOWN');
  expect((await sandbox.troupe(['run', 'two_steps', 'x', '--actor', 'worker=model'])).code).toBe(0);
});

test('[U6] roles that are spoilt are reported beside the problems of the workflow, and count as known', async () => {
  const sandbox = project({
    'spoilt.yaml': SPOILT,
    '.troupe/roles/worker.md': '---\nlevle: base\nfollowups: [reviwer]\n---\nYou work.',
    '.troupe/roles/workr.yaml': '{',
  });
  const { stdout } = await sandbox.troupe(['check', 'spoilt.yaml']);
  const problems = lines(stdout);
  expect(problems).toContain('.troupe/roles/worker.md:2:1 KEY_UNKNOWN');
  expect(problems).toContain('.troupe/roles/worker.md:3:13 ROLE_UNKNOWN');
  expect(problems).toContain('spoilt.yaml:10:5 KEY_UNKNOWN');
  expect(problems).toContain('spoilt.yaml:6:19 ROLE_UNKNOWN');
  expect(problems.filter((line) => line.startsWith('spoilt.yaml:5'))).toEqual([]);
  // The content of this one is unknown, so no name can be called unknown.
  sandbox.write('.troupe/roles/roles.json', '{');
  expect((await sandbox.troupe(['check', 'spoilt.yaml'])).stdout).not.toContain('ROLE_UNKNOWN');
});

test('[U1] doctor reads the roles and workflows of the project, trusted or not, and says which are broken', async () => {
  const sandbox = project({
    '.troupe/workflows/spoilt.yaml': SPOILT,
    '.troupe/workflows/code.ts': 'throw new Error("was run");\n',
    '.troupe/roles/worker.md': WORKER,
    '.troupe/roles/broken.yaml': 'levle: base\n',
    '.troupe/config.yaml':
      'setup: npm ci\nmodels:\n  base: { provider: scripted, scenario: answers.yaml }\nroles: [more.json]\n',
    'more.json': '{\n  "lone": { "tasks": ["nobody"] }\n}\n',
  });
  const { code, stdout } = await sandbox.troupe(['doctor']);
  expect(code).toBe(1);
  const problems = lines(stdout);
  for (const line of [
    '.troupe/roles/broken.yaml:1:1 KEY_UNKNOWN',
    '.troupe/roles/worker.md:3:8 ACTOR_UNKNOWN',
    '.troupe/roles/worker.md:6:5 ROLE_UNKNOWN',
    '.troupe/roles/worker.md:7:17 ROLE_UNKNOWN',
    'more.json:2:23 ROLE_UNKNOWN',
    '.troupe/workflows/spoilt.yaml:10:5 KEY_UNKNOWN',
    '.troupe/workflows/spoilt.yaml:5:19 ROLE_UNKNOWN',
  ])
    expect(problems.filter((one) => one === line)).toEqual([line]);
  expect(stdout).toMatch(/^ok +workflows +\.troupe\/workflows\/code\.ts is code, which is looked at once you trust/m);
  expect(stdout).not.toContain('was run');
});

test('[U1] doctor reads them also where the configuration is broken', async () => {
  const sandbox = project({ '.troupe/config.yaml': 'modles: {}\n', '.troupe/roles/worker.md': WORKER });
  const { stdout } = await sandbox.troupe(['doctor']);
  expect(stdout).toContain('modles');
  expect(lines(stdout)).toContain('.troupe/roles/worker.md:6:5 ROLE_UNKNOWN');
  const sound = await project({}).troupe(['doctor']);
  expect(sound.stdout).toMatch(/^ok +roles +2 of the project/m);
  expect(sound.stdout).toMatch(/^ok +workflows +1 of the project/m);
});

test('[L3] [PH1] shape, names, types and actors of a phase file are reported in one pass, each at its value', async () => {
  const file = `name: x
phases:
  - id: plan
    agent_type: planing
    timeout: 0
  - id: build
    agent_type: execution
    actor: codx
    depends_on: [plam]
`;
  const { stdout } = await project({ 'w.yml': file }).troupe(['check', 'w.yml']);
  expect(lines(stdout)).toEqual([
    'w.yml:5:14 VALUE_INVALID',
    'w.yml:9:18 PHASE_UNKNOWN',
    'w.yml:4:17 ROLE_UNKNOWN',
    'w.yml:8:12 ACTOR_UNKNOWN',
  ]);
  expect(stdout).toContain('There is no agent type named "planing".');
});
