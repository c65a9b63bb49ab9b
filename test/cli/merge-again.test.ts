import { globSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { KEPT, treeHash, writingProject } from './file-projects.ts';
import { jsonLines } from './sandbox.ts';

/** The agent works, a person is asked, the agent goes on with the same lines. */
const GOING_ON = `import { defineWorkflow } from 'troupe';
export const goingOn = defineWorkflow({
  name: 'going_on',
  data: {},
  agents: { worker: {}, helper: { role: 'worker', workspace: 'own' } },
  states: {
    start: {
      work: {
        kind: 'pool',
        units: {
          main: { work: { kind: 'turn', agent: 'worker', input: "'Work'" } },
          beside: { work: { kind: 'turn', agent: 'helper', input: "'Help'" } },
        },
      },
      transitions: ['ask'],
    },
    ask: { work: { kind: 'ask', question: "'Go on?'" }, transitions: ['again'] },
    again: { work: { kind: 'turn', agent: 'worker', input: "'Continue'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

const ANSWERS = `
rules:
  - when: { agent: helper }
    steps:
      - tools: [{ name: write_file, arguments: { path: helped.txt, content: "helped\\n" } }]
      - say: Helped.
  - when: { state: start }
    steps:
      - tools: [{ name: edit_file, arguments: { path: src/kept.txt, old: two, new: second } }]
      - say: Written.
  - when: { state: again }
    steps:
      - tools: [{ name: edit_file, arguments: { path: src/kept.txt, old: second, new: the second } }]
      - say: Done.
`;

const goingOn = () => writingProject({ 'going_on.ts': GOING_ON, 'answers.yaml': ANSWERS });

test('[PD7] applied before a run goes on, its later changes of the same lines are applied on top, and all can be undone', async () => {
  const sandbox = goingOn();
  const before = treeHash(sandbox.project);
  const asked = await sandbox.troupe(['run', 'going_on.ts', '--json']);
  const run = String(jsonLines(asked.stdout)[0]?.['run']);
  expect(await sandbox.troupe(['deliver', run, '--workspace', 'main', '--apply'])).toMatchObject({ code: 0 });
  expect(await sandbox.troupe(['deliver', run, '--workspace', 'helper', '--apply'])).toMatchObject({ code: 0 });
  const ended = await sandbox.troupe(['answer', run, 'yes', '--apply']);
  expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/\bwaits?\b/) });
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'the second'));
  expect((await sandbox.troupe(['rollback', run, '--files', '--yes'])).code).toBe(0);
  expect(treeHash(sandbox.project)).toBe(before);
});

test('[PD7] what was applied and taken out again is applied whole the next time', async () => {
  const sandbox = goingOn();
  const asked = await sandbox.troupe(['run', 'going_on.ts', '--json']);
  const run = String(jsonLines(asked.stdout)[0]?.['run']);
  const applied = await sandbox.troupe(['deliver', run, '--workspace', 'main', '--apply', '--json']);
  const { undoTo } = JSON.parse(applied.stdout) as { readonly undoTo: number };
  expect((await sandbox.troupe(['rollback', run, '--to', String(undoTo), '--files', '--yes'])).code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT);
  expect((await sandbox.troupe(['answer', run, 'yes', '--apply'])).code).toBe(0);
  expect(sandbox.read('src/kept.txt')).toBe(KEPT.replace('two', 'the second'));
});

test('[R1] Ctrl-C ends the check at the end of a run; nothing is applied, and the delivery stays owed', async () => {
  const sandbox = writingProject();
  const before = treeHash(sandbox.project);
  const check = 'touch check-began; until test -e never; do sleep 0.05; done';
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--json', '--apply', '--verify', check]);
  // A glob passes over folders that go away while it looks.
  const hasBegun = () => globSync('runs/**/check-began', { cwd: sandbox.home }).length > 0;
  await vi.waitUntil(hasBegun, { timeout: 30_000 });
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'run.interrupted' });
  expect(treeHash(sandbox.project)).toBe(before);
  expect((await sandbox.troupe(['list'])).stdout).toContain('ok · not delivered');
});
