import { expect, test } from 'vitest';
import type { Workflow, WorkState } from '../../core/model/workflow.ts';
import { readDocument } from '../../source/read-document.ts';
import { parseStateMachine } from './parse-state-machine.ts';

/** A person is asked, runs are started for a list, an agent owes evidence, and the end has a name. */
const FILE = `workflow_name: w
inputs:
  - {name: task, type: string, description: What to do}
  - {name: ward, type: array, required: false}
variables: {ward: [], steps: []}
contexts: [{name: talk}]
agents:
  - {agent_role: coder, context: talk, role: assistant, actor: codex}
states:
  - name: start
    action: {ask: {question: "'Go on?'", choices: ['yes', 'no']}}
    transition: [{target: many, condition: result === 'yes'}, {target: lost}]
  - name: many
    action:
      pool:
        items: common_data.steps
        workflow: step
        input: {step: item, at: index}
        slots: 2
        workspace: own
        grow: "outcome === 'ok' ? result.parts : []"
        join: any
    transition: [{target: code}]
    on: {partial: [{target: code}]}
  - name: code
    agent: coder
    input: common_data.task
    step: "'one'"
    evidence: {files: common_data.steps, commands: common_data.ward}
    transition: [{target: look}]
  - name: look
    action: {diff: {agent: coder}}
    transition: [{target: stop}]
  - name: lost
    outcome: failed
    input: common_data.task
    failure: "({code: 'NO', message: 'A person said no.'})"
`;

const read = (text: string) => {
  const source = readDocument(text, { file: 'w.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  return parseStateMachine(source.value.document, { file: 'w.yaml', locate: source.value.locate });
};

function lowered(text = FILE): Workflow {
  const result = read(text);
  const workflow = result.ok ? result.value[0] : undefined;
  if (!result.ok || workflow === undefined) throw new Error(JSON.stringify(result));
  expect(result.warnings).toEqual([]);
  return workflow;
}

function workOf(name: string, text = FILE): WorkState['work'] {
  const state = lowered(text).states[name];
  if (state?.kind !== 'work') throw new Error(`${name} is no work`);
  return state.work;
}

test('[U3] several inputs; one that may be left out has its first value from the variables', () => {
  expect(lowered().inputs).toEqual([
    { name: 'task', type: 'string', description: 'What to do', required: true },
    { name: 'ward', type: 'array', description: '', required: false },
  ]);
  expect(lowered().data).toEqual({ ward: [], steps: [] });
});

test('[Q3] a person is asked, with choices or without', () => {
  expect(workOf('start')).toEqual({
    kind: 'ask',
    question: { kind: 'literal', value: 'Go on?' },
    choices: ['yes', 'no'],
  });
  expect(workOf('start', FILE.replace(", choices: ['yes', 'no']", ''))).toMatchObject({ choices: [] });
});

test('[Q1] [Q9] a pool runs a workflow for each item of a list, grows, and joins as configured', () => {
  expect(workOf('many')).toMatchObject({
    kind: 'pool',
    units: {
      kind: 'items',
      work: {
        kind: 'call',
        workflow: 'step',
        workspace: 'own',
        input: { step: { name: 'item' }, at: { name: 'index' } },
      },
    },
    slots: 2,
    join: { rule: 'any' },
    grow: { kind: expect.any(String) },
  });
  const plain = FILE.replace(/ {8}slots: 2\n[\s\S]*? {8}join: any\n/, '');
  expect(workOf('many', plain)).toMatchObject({ slots: 3, join: { rule: 'all' }, grow: null });
  expect(workOf('many', FILE.replace('join: any', 'join: {quorum: 2}'))).toMatchObject({
    join: { rule: 'quorum', count: 2 },
  });
});

test('[L4] a turn names its step and what must be seen; an agent names who plays it', () => {
  expect(workOf('code')).toMatchObject({
    kind: 'turn',
    step: { kind: 'literal', value: 'one' },
    evidence: { files: { property: 'steps' }, commands: { property: 'ward' } },
  });
  expect(lowered().agents[0]).toMatchObject({ actor: 'codex' });
  expect(workOf('look')).toMatchObject({ kind: 'command', builtin: 'diff', agent: 'coder' });
});

test('[L5] an end has an outcome and says why', () => {
  expect(lowered().states['lost']).toMatchObject({
    kind: 'end',
    name: 'lost',
    outcome: 'failed',
    output: { property: 'task' },
    failure: { kind: expect.any(String) },
  });
  expect(lowered().states['stop']).toEqual({ kind: 'end', name: 'stop', outcome: 'ok', output: null });
});

test.for([
  [
    'both input and inputs',
    'workflow_name: w\n',
    'workflow_name: w\ninput: {name: a, type: string}\n',
    'INPUT_CONFLICT 3 inputs',
  ],
  [
    'an input of a type that is none',
    'type: array, required',
    'type: list, required',
    'VALUE_INVALID 4 inputs[1].type',
  ],
  ['a question that is no expression', `"'Go on?'"`, 'Go on?', 'EXPRESSION_INVALID 11 states[0].action.ask.question'],
  ['choices that are none', "choices: ['yes', 'no']", 'choices: []', 'VALUE_INVALID 11 states[0].action.ask.choices'],
  [
    'items that are no expression',
    'items: common_data.steps',
    'items: the steps',
    'EXPRESSION_INVALID 16 states[1].action.pool.items',
  ],
  [
    'an input of the pool that is no expression',
    '{step: item,',
    '{step: the item,',
    'EXPRESSION_INVALID 18 states[1].action.pool.input.step',
  ],
  ['no slots', 'slots: 2', 'slots: 0', 'VALUE_INVALID 19 states[1].action.pool.slots'],
  [
    'a workspace that is none',
    'workspace: own',
    'workspace: shared',
    'VALUE_INVALID 20 states[1].action.pool.workspace',
  ],
  [
    'a grow that is no expression',
    `grow: "outcome === 'ok' ? result.parts : []"`,
    'grow: more of it',
    'EXPRESSION_INVALID 21 states[1].action.pool.grow',
  ],
  ['an unknown join', 'join: any', 'join: some', 'VALUE_INVALID 22 states[1].action.pool.join'],
  ['a join that drops units', '    on: {partial: [{target: code}]}\n', '', 'JOIN_DROPS_UNITS 13 states.many.work.join'],
  ['an unknown key of a pool', 'slots: 2', 'slot: 2', 'KEY_UNKNOWN 19 states[1].action.pool.slot'],
  [
    'a pool beside an agent',
    '  - name: many\n',
    '  - name: many\n    agent: coder\n',
    'ACTION_CONFLICT 16 states[1].action.pool',
  ],
  [
    'a question beside a diff',
    '{diff: {agent: coder}}',
    "{diff: {agent: coder}, ask: {question: '1'}}",
    'ACTION_CONFLICT 32 states[3].action.ask',
  ],
  [
    'a diff of an unknown agent',
    '{diff: {agent: coder}}',
    '{diff: {agent: codr}}',
    'AGENT_UNKNOWN 32 states[3].action.diff.agent',
  ],
  ['evidence without an agent', '    agent: coder\n', '', 'AGENT_MISSING 28 states[2].evidence'],
  [
    'evidence that is no expression',
    'files: common_data.steps,',
    'files: all files,',
    'EXPRESSION_INVALID 29 states[2].evidence.files',
  ],
  ['a step that is no expression', `step: "'one'"`, 'step: step one', 'EXPRESSION_INVALID 28 states[2].step'],
  ['an unknown outcome', 'outcome: failed', 'outcome: lost', 'VALUE_INVALID 35 states[4].outcome'],
  [
    'an end that goes on',
    'outcome: failed',
    'outcome: failed\n    transition: [{target: stop}]',
    'STOP_IS_FINAL 36 states[4].transition',
  ],
  [
    'a failure without an end',
    '    outcome: failed\n',
    '    transition: [{target: stop}]\n',
    'OUTCOME_MISSING 37 states[4].failure',
  ],
] as const)('[L3] reported with its line: %s', ([, from, to, where]) => {
  if (!FILE.includes(from)) throw new Error(`${from} is not in the file`);
  const result = read(FILE.replace(from, to));
  const problems = result.ok ? result.warnings : result.problems;
  expect(problems.map(({ code, at, path }) => `${code} ${at?.line} ${path}`)).toContain(where);
});
