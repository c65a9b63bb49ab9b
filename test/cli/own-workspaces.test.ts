import { expect, test } from 'vitest';
import { gitProject, KEPT, lineOf, treeHash, WAIT, writingProject } from './file-projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** Two agents, each in a separate folder, change the same line. */
const TWO_AGENTS = {
  workflow_name: 'two_agents',
  contexts: [{ name: 'a' }, { name: 'b' }],
  agents: [
    { agent_role: 'ann', context: 'a', role: 'assistant', workspace: 'own' },
    { agent_role: 'bob', context: 'b', role: 'assistant', workspace: 'own' },
  ],
  states: [
    { name: 'start', agents: ['ann', 'bob'], input: "'Change it'", transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};

const answers = (name: string): string => `
  - when: { role: ${name} }
    steps:
      - tools:
          - { name: edit_file, arguments: { path: src/kept.txt, old: two, new: ${name} was here } }
          - { name: write_file, arguments: { path: ${name}.txt, content: "${name}\\n" } }
      - say: Done.
`;

const FILES = {
  '.troupe/workflows/two_agents.json': JSON.stringify(TWO_AGENTS),
  '.troupe/roles/roles.json': JSON.stringify({
    ann: { level: 'base', systemMessage: 'You are Ann.' },
    bob: { level: 'base', systemMessage: 'You are Bob.' },
    worker: { level: 'base', systemMessage: 'You work.' },
  }),
  'answers.yaml': `rules:${answers('ann')}${answers('bob')}`,
};

async function twoAgents(sandbox: Sandbox): Promise<string> {
  const { code, stdout, stderr } = await sandbox.troupe(['run', 'two_agents', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return String(jsonLines(stdout)[0]?.['run']);
}

test('[PD7] two agents edit one file in parallel: the first merge goes in, the second reports the conflict, nothing is lost', async () => {
  const sandbox = writingProject(FILES);
  const before = treeHash(sandbox.project);
  const run = await twoAgents(sandbox);
  expect(treeHash(sandbox.project)).toBe(before);
  const ann = await sandbox.troupe(['diff', run, '--agent', 'ann', '--stat']);
  expect(ann.stdout).toBe('A  ann.txt  +1 -0\nM  src/kept.txt  +1 -1\n2 files changed, 2 lines added, 1 removed\n');
  expect((await sandbox.troupe(['diff', run, '--workspace', 'bob', '--stat'])).stdout).toContain('A  bob.txt');
  expect((await sandbox.troupe(['deliver', run, '--agent', 'ann', '--apply'])).code).toBe(0);
  const applied = treeHash(sandbox.project);
  const second = await sandbox.troupe(['deliver', run, '--agent', 'bob', '--apply', '--json']);
  expect(second.code).toBe(3);
  expect(JSON.parse(second.stdout)).toMatchObject({
    kind: 'result.conflict',
    conflicts: [
      {
        path: 'src/kept.txt',
        ours: { text: KEPT.replace('two', 'ann was here') },
        theirs: { text: KEPT.replace('two', 'bob was here') },
      },
    ],
  });
  expect(treeHash(sandbox.project)).toBe(applied);
  expect((await sandbox.troupe(['rollback', run, '--files', '--yes'])).code).toBe(0);
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[PD7] what waits in the workspaces of agents is reported at the end, and each has its own branch', async () => {
  const sandbox = gitProject(FILES);
  const printed = await sandbox.troupe(['run', 'two_agents']);
  for (const agent of ['ann', 'bob']) {
    expect(printed.stderr).toContain(`wait in the workspace ${agent}:`);
    expect(printed.stderr).toMatch(
      new RegExp(`look: {2}troupe diff \\w+ --agent ${agent}\n {2}take: {2}troupe deliver \\w+ --agent ${agent}\n`),
    );
  }
  const branches: string[] = [];
  // One after the other: while a result is delivered, a second delivery of the run is refused.
  for (const agent of ['ann', 'bob']) {
    const { stdout } = await sandbox.troupe(['deliver', 'last', '--agent', agent, '--json']);
    branches.push((JSON.parse(stdout) as { readonly branch: string }).branch);
  }
  expect(branches).toEqual([expect.stringMatching(/^troupe\/\w+-ann$/), expect.stringMatching(/^troupe\/\w+-bob$/)]);
});

test('[L6] a run that was cancelled in the middle of a command still shows what it left', async () => {
  const sandbox = writingProject({
    'answers.yaml': `
rules:
  - steps:
      - tools: [{ name: write_file, arguments: { path: first.txt, content: x } }]
      - tools: [{ name: execute_terminal, arguments: { command: "echo half > half.txt; ${WAIT}" } }]
      - say: Done.
`,
  });
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json']);
  const { run } = (await lineOf(running, 'call.started')) as { readonly run: string };
  await lineOf(running, 'call.answered');
  expect((await sandbox.troupe(['cancel', run])).code).toBe(0);
  await running.ended;
  const diff = await sandbox.troupe(['diff', run, '--stat']);
  expect(diff.stdout).toContain('A  first.txt');
  const disk = await sandbox.troupe(['diff', run, '--stat', '--disk']);
  expect(diff.stdout === disk.stdout || diff.stderr.includes(`troupe diff ${run} --disk`)).toBe(true);
});
