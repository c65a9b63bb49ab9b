import { expect, test } from 'vitest';
import type { Workflow, WorkState } from '../../core/model/workflow.ts';
import { readDocument } from '../../source/read-document.ts';
import { parseStateMachine } from './parse-state-machine.ts';

/** Two agents in their own workspaces; the second one's merge may be in conflict and goes back to it. */
const FILE = `workflow_name: w
on_failure: rollback
contexts: [{name: talk}]
agents:
  - {agent_role: coder, context: talk, role: assistant, workspace: own, holds: [database]}
  - {agent_role: tester, context: talk, role: user, workspace: bench}
  - {agent_role: reader, context: talk, role: user}
states:
  - name: start
    action:
      command: {run: "'npm test'", ok_exit_codes: [0, 1], agent: coder, network: true, holds: [port], repeat: unsafe}
    transition: [{target: bring}]
    on_failure: stop
    on:
      failed: [{target: start, condition: failure.code === 'X', before: this.common_data.n = 1}, {target: bring}]
  - name: bring
    action:
      merge: {agent: tester, verify: "'npm test'", report_overlap: true}
    transition: [{target: child}]
    on: {blocked: [{target: bring}]}
  - name: child
    action: {sub_workflow: w, sub_workflow_workspace: own}
    transition: [{target: home}]
  - name: home
    action: {merge: {}}
    transition: [{target: stop}]
`;

const read = (text: string) => {
  const source = readDocument(text, { file: 'w.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  return parseStateMachine(source.value.document, { file: 'w.yaml', locate: source.value.locate });
};

function lowered(): Workflow {
  const result = read(FILE);
  const workflow = result.ok ? result.value[0] : undefined;
  if (!result.ok || workflow === undefined) throw new Error(JSON.stringify(result));
  expect(result.warnings).toEqual([]);
  return workflow;
}

function stateOf(name: string): WorkState {
  const state = lowered().states[name];
  if (state?.kind !== 'work') throw new Error(`${name} is no work`);
  return state;
}

test('[PH7] [Q9] agents have their workspace and what they hold, the workflow says what becomes of the files', () => {
  const { agents, onFailure } = lowered();
  expect(onFailure).toBe('rollback');
  expect(agents.map(({ name, workspace, holds }) => ({ name, workspace, holds }))).toEqual([
    { name: 'coder', workspace: 'own', holds: ['database'] },
    { name: 'tester', workspace: 'bench', holds: undefined },
    { name: 'reader', workspace: undefined, holds: undefined },
  ]);
});

test('[PD1] a command says where it runs, what it holds, and whether it reaches the network', () => {
  expect(stateOf('start').work).toEqual({
    kind: 'command',
    command: { kind: 'literal', value: 'npm test' },
    okExitCodes: [0, 1],
    agent: 'coder',
    network: true,
    holds: ['port'],
    repeat: 'unsafe',
  });
});

test('[Q9] a merge names an agent and a command that must succeed first, or is one into the caller', () => {
  expect(stateOf('bring').work).toEqual({
    kind: 'merge',
    agent: 'tester',
    verify: { kind: 'literal', value: 'npm test' },
    reportsOverlap: true,
  });
  expect(stateOf('home').work).toEqual({ kind: 'merge', agent: null });
  expect(stateOf('child').work).toEqual({ kind: 'call', workflow: 'w', input: {}, workspace: 'own' });
});

test('[L5] a state handles outcomes one by one, each before what on_failure says of all', () => {
  const { on } = stateOf('start');
  expect(
    Object.fromEntries(Object.entries(on).map(([outcome, list]) => [outcome, list.map((one) => one.target)])),
  ).toEqual({ failed: ['start', 'bring'], timeout: ['stop'], quota: ['stop'], crashed: ['stop'] });
  expect(on.failed?.[0]).toMatchObject({ when: { kind: 'binary' }, assign: { kind: 'assignments' }, at: { line: 15 } });
  expect(stateOf('bring').on).toMatchObject({ blocked: [{ target: 'bring', when: null }] });
});

test('[SM1] a file that says nothing of all this lowers to what it always did', () => {
  const plain = read('workflow_name: w\nstates: [{name: start, transition: [{target: stop}]}]');
  const [workflow] = plain.ok ? plain.value : [];
  expect(workflow).not.toHaveProperty('onFailure');
  expect(workflow?.states['start']).toMatchObject({ work: { kind: 'none' }, on: {} });
});

const problemsAfter = (from: string, to: string) => {
  if (!FILE.includes(from)) throw new Error(`${from} is not in the file`);
  const result = read(FILE.replace(from, to));
  const problems = result.ok ? result.warnings : result.problems;
  return problems.map(({ code, at, path, hint }) => [`${code} ${at?.line} ${path}`, hint] as const);
};

test.for([
  [
    'a merge of an unknown agent',
    'agent: tester,',
    'agent: testr,',
    'AGENT_UNKNOWN 18 states[1].action.merge.agent',
    'Did you mean "tester"?',
  ],
  [
    'a command in the workspace of an unknown agent',
    '1], agent: coder',
    '1], agent: codr',
    'AGENT_UNKNOWN 11 states[0].action.command.agent',
    'Did you mean "coder"?',
  ],
  [
    'a merge of an agent that shares the workspace of the run',
    'workspace: bench',
    'workspace: shared',
    'MERGE_NOTHING 16 states.bring.work.agent',
    'Give the agent its own workspace, or remove the merge.',
  ],
  [
    'a workspace whose name is none',
    'workspace: bench',
    'workspace: ../bench',
    'WORKSPACE_INVALID 6 agents.tester.workspace',
    'Say "shared", "own", or a name of at most 64 letters, digits, dashes and underscores.',
  ],
  [
    'a workspace with the name of another',
    'workspace: bench',
    'workspace: main',
    'WORKSPACE_INVALID 6 agents.tester.workspace',
    'For the workspace of the run say "shared".',
  ],
  ['holds without names', 'holds: [database]', 'holds: []', 'VALUE_INVALID 5 agents[0].holds', undefined],
  [
    'holds with an empty name',
    'holds: [port]',
    'holds: [" "]',
    'HOLDS_INVALID 9 states.start.work.holds',
    'Name what only one may use at a time, such as "database", or leave it out.',
  ],
  [
    'an unknown target in a handler',
    'blocked: [{target: bring}]',
    'blocked: [{target: brng}]',
    'STATE_UNKNOWN 20 states[1].on.blocked[0].target',
    'Did you mean "bring"?',
  ],
  [
    'an unknown outcome',
    'on: {blocked:',
    'on: {blokked:',
    'KEY_UNKNOWN 20 states[1].on.blokked',
    'Did you mean "blocked"?',
  ],
  ['a handler of what is ok', 'on: {blocked:', 'on: {ok:', 'KEY_UNKNOWN 20 states[1].on.ok', undefined],
  ['no good exit code', '[0, 1]', '[]', 'VALUE_INVALID 11 states[0].action.command.ok_exit_codes', undefined],
  [
    'a word that says nothing of the files',
    'on_failure: rollback',
    'on_failure: undo',
    'VALUE_INVALID 2 on_failure',
    undefined,
  ],
  [
    'a command that is no expression',
    `"'npm test'", ok`,
    'npm test, ok',
    'EXPRESSION_INVALID 11 states[0].action.command.run',
    undefined,
  ],
  [
    'a verify that is no expression',
    `verify: "'npm test'"`,
    'verify: npm test',
    'EXPRESSION_INVALID 18 states[1].action.merge.verify',
    undefined,
  ],
  [
    'a place for a sub-workflow that is none',
    '{sub_workflow: w, sub',
    '{sub',
    'SUB_WORKFLOW_MISSING 22 states[2].action.sub_workflow_workspace',
    undefined,
  ],
  [
    'a command beside an agent',
    '    action:\n      command',
    '    agent: coder\n    action:\n      command',
    'ACTION_CONFLICT 12 states[0].action.command',
    undefined,
  ],
  [
    'a merge beside a sub-workflow',
    '{merge: {}}',
    '{merge: {}, sub_workflow: w}',
    'ACTION_CONFLICT 25 states[3].action.merge',
    undefined,
  ],
] as const)('[L3] reported with its line: %s', ([, from, to, where, hint]) => {
  const problems = problemsAfter(from, to);
  expect(problems.map(([place]) => place)).toContain(where);
  const given = new Map(problems).get(where);
  expect(given).toBe(hint ?? given);
});
