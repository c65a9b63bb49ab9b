import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ASK_THEN_WORK, scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';
import { hasTerminal, typed } from './typed.ts';

const FILE = '.troupe/workflows/two_steps.json';
const ROLES = '.troupe/roles/roles.json';
const GO_ON = ['--max-tokens', '100000'];

/** A run that pauses after its first turn. */
async function paused(files: Readonly<Record<string, string>> = {}, words: readonly string[] = []) {
  const sandbox = scriptedProject(files);
  const started = await sandbox.troupe(['run', 'two_steps', 'Go', '--max-tokens', '1', '--json', ...words]);
  expect(started.code).toBe(4);
  return { sandbox, run: String(jsonLines(started.stdout)[0]?.['run']) };
}

type States = typeof TWO_STEPS.states;

/** The workflow with other states. */
function write(sandbox: Sandbox, change: (states: States) => readonly unknown[]): void {
  sandbox.write(FILE, JSON.stringify({ ...TWO_STEPS, states: change(TWO_STEPS.states) }, null, 2));
}

/** Its last turn asks for something else. */
const asksOtherwise = (states: States) =>
  states.map((state) => (state.name === 'again' ? { ...state, input: "'In two words.'" } : state));

const inputsOf = async (sandbox: Sandbox, run: string): Promise<string> =>
  (await sandbox.troupe(['logs', run])).stdout.replaceAll(/^\S* ?/gm, '');

describe('[ST5] [L6] a run whose workflow file has changed', () => {
  test('goes on with what it began with, and says so and how to have the other', async () => {
    const { sandbox, run } = await paused();
    write(sandbox, asksOtherwise);
    const resumed = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(resumed.stderr).toContain(`DEFINITION_CHANGED: run ${run}: ${FILE} changed since it began.`);
    expect(resumed.stderr).toContain('workflow "two_steps": state "again" changed');
    expect(resumed.stderr).toContain(`troupe resume ${run} --definition new`);
    expect(await inputsOf(sandbox, run)).toContain('And now in one word.');
  });

  test('goes on with the new one when that is wanted, and the journal says who wanted it', async () => {
    const { sandbox, run } = await paused();
    write(sandbox, asksOtherwise);
    const resumed = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(resumed.stderr).toContain('It continues with the new definition.');
    const logs = await inputsOf(sandbox, run);
    expect(logs).toContain('In two words.');
    expect(logs).not.toContain('And now in one word.');
    expect((await sandbox.troupe(['logs', run, '--json'])).stdout).toContain('"kind":"run.redefined"');
    expect((await sandbox.troupe(['show', run])).stdout).toMatch(
      /^defined {3}\w{12} since record \d+, as \.troupe\/workflows\/two_steps\.json has it$/m,
    );
  });

  test('says it as data with --json, and takes the one it began with', async () => {
    const { sandbox, run } = await paused();
    write(sandbox, asksOtherwise);
    const { code, stdout } = await sandbox.troupe(['resume', run, '--json', ...GO_ON]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({
      kind: 'definition.changed',
      code: 'DEFINITION_CHANGED',
      run,
      state: 'changed',
      taken: 'started',
      files: [join(sandbox.project, FILE)],
      changes: [{ of: 'workflow', name: 'two_steps', how: 'changed', what: ['state "again" changed'] }],
    });
  });

  test('is not troubled by comments and lines that moved, nor from which folder it is asked', async () => {
    const { sandbox, run } = await paused();
    sandbox.write(FILE, `\n\n${JSON.stringify(TWO_STEPS)}`);
    const folder = join(sandbox.project, 'below');
    mkdirSync(folder);
    const resumed = await sandbox.troupe(['resume', run, ...GO_ON], { folder });
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).not.toContain('DEFINITION_CHANGED');
  });

  test('that was started in a folder below, by a path from there, is found again', async () => {
    const { sandbox, run } = await (async () => {
      const project = scriptedProject({ 'below/flow.json': JSON.stringify(TWO_STEPS) });
      const words = ['run', 'flow.json', 'Go', '--max-tokens', '1', '--json'];
      const { stdout } = await project.troupe(words, { folder: join(project.project, 'below') });
      return { sandbox: project, run: String(jsonLines(stdout)[0]?.['run']) };
    })();
    expect((await sandbox.troupe(['show', run])).stdout).toContain('as below/flow.json has it');
    sandbox.write('below/flow.json', JSON.stringify({ ...TWO_STEPS, states: asksOtherwise(TWO_STEPS.states) }));
    expect((await sandbox.troupe(['show', run])).stdout).toContain('below/flow.json changed since it began');
  });

  test('is refused the new one with every reason where it stands in what that one lacks', async () => {
    const { sandbox, run } = await paused();
    write(sandbox, (states) => [{ ...states[0], name: 'start', transition: [{ target: 'stop' }] }, { name: 'stop' }]);
    const refused = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/DEFINITION_MISFIT: .*It stands in the state "again", which is no longer there\./);
    expect((await sandbox.troupe(['logs', run, '--json'])).stdout).not.toContain('run.redefined');
    const resumed = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(resumed.stderr).toContain('The new one does not fit its present state:\n  It stands in the state "again"');
  });

  test.each([
    ['gone', (sandbox: Sandbox) => rmSync(join(sandbox.project, FILE)), `${FILE} is gone.`],
    ['broken', (sandbox: Sandbox) => void sandbox.write(FILE, '{ "states": 1'), `${FILE} has errors now.`],
  ])('that is %s goes on as it began, and there is no new one', async (_state, spoil, sentence) => {
    const { sandbox, run } = await paused();
    spoil(sandbox);
    const refused = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('DEFINITION_UNUSABLE');
    expect((await sandbox.troupe(['show', run])).stdout).toContain(sentence.slice(0, -1));
    const resumed = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(resumed.stderr).toContain(`DEFINITION_CHANGED: run ${run}: ${sentence}`);
    expect(resumed.stderr).not.toContain('--definition new');
  });
});

describe('[ST5] whatever else a definition is made of', () => {
  test('a role', async () => {
    const { sandbox, run } = await paused();
    sandbox.write(ROLES, JSON.stringify({ worker: { level: 'base', systemMessage: 'You rest.' } }));
    const shown = await sandbox.troupe(['show', run]);
    expect(shown.stdout).toContain(`${ROLES} changed since it began`);
    expect(shown.stdout).toContain('role "worker": systemMessage');
    const { stderr } = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(stderr).toContain(`DEFINITION_CHANGED: run ${run}: ${ROLES} changed since it began.`);
  });

  test('the settings', async () => {
    const { sandbox, run } = await paused();
    const config = sandbox.read('.troupe/config.yaml');
    sandbox.write('.troupe/config.yaml', `${config}retry: { base_ms: 7 }\n`);
    const { stderr } = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(stderr).toContain(`run ${run}: .troupe/config.yaml changed since it began.\n  setting retry added`);
  });

  test('a type of agent and a layer of its prompt', async () => {
    const planning = { ...TWO_STEPS, agents: [{ agent_role: 'planning', context: 'talk', role: 'assistant' }] };
    const states = TWO_STEPS.states.map((state) => ('agent' in state ? { ...state, agent: 'planning' } : state));
    const { sandbox, run } = await paused({ [FILE]: JSON.stringify({ ...planning, states }) });
    sandbox.write('.troupe/prompts/communication.md', 'Speak in rhymes.\n');
    const { stderr } = await sandbox.troupe(['resume', run, ...GO_ON]);
    expect(stderr).toContain(`run ${run}: .troupe/prompts/communication.md changed since it began.`);
    expect(stderr).toContain('role "planning": systemMessage');
  });

  test('a child workflow in another file', async () => {
    const parent = {
      workflow_name: 'parent',
      states: [
        { name: 'start', transition: [{ target: 'call' }] },
        {
          name: 'call',
          action: { sub_workflow: 'two_steps', sub_workflow_input: { task: "'Go'" } },
          transition: [{ target: 'stop' }],
        },
        { name: 'stop' },
      ],
    };
    const sandbox = scriptedProject({ '.troupe/workflows/parent.json': JSON.stringify(parent) });
    const started = await sandbox.troupe(['run', 'parent', '--max-tokens', '1', '--json']);
    const run = String(jsonLines(started.stdout)[0]?.['run']);
    write(sandbox, asksOtherwise);
    const resumed = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
    expect(resumed.stderr).toContain(
      `run ${run}: ${FILE} changed since it began.\n  workflow "two_steps": state "again"`,
    );
    expect(resumed.code).toBe(0);
    expect(await inputsOf(sandbox, run)).toContain('In two words.');
  });
});

test('[ST5] [L6] what was chosen when the run began is chosen again for the new definition', async () => {
  const config = `models:
  base: { provider: scripted, scenario: answers.yaml }
  other: { provider: scripted, scenario: other.yaml }
`;
  const files = { '.troupe/config.yaml': config, 'other.yaml': 'rules: [{ reply: The other one. }]' };
  const { sandbox, run } = await paused(files, ['--model', 'base=other']);
  expect((await sandbox.troupe(['show', run])).stdout).toContain(`as ${FILE} has it`);
  write(sandbox, asksOtherwise);
  const resumed = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
  expect(resumed).toMatchObject({ code: 0, stdout: 'The other one.\n' });
});

test('[ST5] code that has changed is not run before somebody asks for it', async () => {
  const sandbox = scriptedProject({ 'flow.ts': ASK_THEN_WORK });
  const started = await sandbox.troupe(['run', 'flow.ts', '--json']);
  const run = String(jsonLines(started.stdout)[0]?.['run']);
  expect((await sandbox.troupe(['show', run])).stdout).toContain('as flow.ts has it');
  const marked = `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran.txt', 'yes');\n${ASK_THEN_WORK}`;
  sandbox.write('flow.ts', marked.replace("'Which colour?'", "'Which one?'"));
  expect((await sandbox.troupe(['show', run])).stdout).toContain('the code of flow.ts has changed');
  const kept = await sandbox.troupe(['resume', run]);
  expect(kept.stderr).toContain('the code of flow.ts has changed');
  expect(kept.stderr).toContain('--definition new');
  expect(() => sandbox.read('ran.txt')).toThrow('ENOENT');
  const taken = await sandbox.troupe(['resume', run, '--definition', 'new']);
  expect(taken.stderr).toContain('It continues with the new definition.');
  expect(sandbox.read('ran.txt')).toBe('yes');
});

test('[ST5] a run that has the newest definition says so', async () => {
  const { sandbox, run } = await paused();
  const { code, stderr } = await sandbox.troupe(['resume', run, '--definition', 'new', ...GO_ON]);
  expect(code).toBe(0);
  expect(stderr).toContain('The run has the newest definition already.');
  expect((await sandbox.troupe(['resume', run, '--definition', 'old'])).code).toBe(2);
});

test.skipIf(!hasTerminal).each([
  ['the first answer is the one it began with', '\r', 'And now in one word.'],
  ['the other one is the new one', '\u001B[B\r', 'In two words.'],
])('[ST5] in a terminal a person is asked: %s', async (_title, keys, said) => {
  const { sandbox, run } = await paused();
  write(sandbox, asksOtherwise);
  const words = `resume ${run} --max-tokens 100000`;
  const screen = await typed(sandbox, { words, columns: 100, when: 'the new one', keys });
  expect(screen.match(/DEFINITION_CHANGED/g)).toHaveLength(1);
  expect(await inputsOf(sandbox, run)).toContain(said);
});
