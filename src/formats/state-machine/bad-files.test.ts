import { expect, test } from 'vitest';
import { readDocument } from '../../source/read-document.ts';
import { parseStateMachine } from './parse-state-machine.ts';

/** All problems of a file are reported at once, each with a code, a line and a path in the author's words (L3). */

const GOOD = `workflow_name: w
input: {name: task, type: string}
output: {name: result, type: string}
variables:
  max_iterations: 3
contexts:
  - name: talk
agents:
  - {agent_role: coder, context: talk, role: assistant}
  - {agent_role: reviewer, context: talk, role: user}
states:
  - name: start
    agent: coder
    input: common_data.task
    action: {function: sendUserMessage}
    transition:
      - target: stop
        condition: "true"
  - name: stop
    input: common_data.result
`;

const problems = (text: string) => {
  const source = readDocument(text, { file: 'w.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  const result = parseStateMachine(source.value.document, { file: 'w.yaml', locate: source.value.locate });
  return result.ok ? result.warnings : result.problems;
};

const problemLines = (text: string) => problems(text).map(({ code, at, path }) => `${code} ${at?.line} ${path}`);

const edit = (from: string, to: string) => {
  if (!GOOD.includes(from)) throw new Error(`${from} is not in the file`);
  return problemLines(GOOD.replace(from, to));
};

test('[SM1] the file that the cases below spoil has nothing wrong with it', () => {
  expect(problemLines(GOOD)).toEqual([]);
});

test.for([
  ['an unknown key at the top', 'variables:', 'variabels:', ['KEY_UNKNOWN 4 variabels']],
  ['an unknown key in a state', '    agent: coder', '    agnet: coder', ['KEY_UNKNOWN 13 states[0].agnet']],
  ['an unknown key in a transition', 'condition: "true"', 'if: "true"', ['KEY_UNKNOWN 18 states[0].transition[0].if']],
  ['an unknown key in an action', '{function:', '{func:', ['KEY_UNKNOWN 15 states[0].action.func']],
  ['a missing name', 'workflow_name: w\n', '', ['KEY_MISSING 1 workflow_name']],
  [
    'a value of the wrong kind',
    'max_iterations: 3',
    'max_iterations: three',
    ['LIMIT_INVALID 5 variables.max_iterations'],
  ],
  ['a bound below one', 'max_iterations: 3', 'max_iterations: 0', ['LIMIT_INVALID 5 variables.max_iterations']],
  [
    'a bound that is no whole number',
    'max_iterations: 3',
    'max_iterations: 2.5',
    ['LIMIT_INVALID 5 variables.max_iterations'],
  ],
  ['a list where a mapping belongs', '{name: task, type: string}', '[task]', ['VALUE_INVALID 2 input']],
  ['an unknown type', 'type: string}\noutput', 'type: text}\noutput', ['VALUE_INVALID 2 input.type']],
  ['an unknown state', 'target: stop', 'target: stpo', ['STATE_UNKNOWN 17 states[0].transition[0].target']],
  ['an unknown agent', '    agent: coder', '    agent: tester', ['AGENT_UNKNOWN 13 states[0].agent']],
  ['an unknown context', 'coder, context: talk', 'coder, context: walk', ['CONTEXT_UNKNOWN 9 agents[0].context']],
  ['an unknown side', 'role: user', 'role: boss', ['VALUE_INVALID 10 agents[1].role']],
  ['no start', 'name: start', 'name: begin', ['START_MISSING 12 states']],
  ['a stop that cannot be reached', 'target: stop', 'target: start', ['UNREACHABLE_STOP 12 states.start']],
  [
    'a state without a way out',
    '    transition:\n      - target: stop\n        condition: "true"\n',
    '',
    ['DEAD_END 12 states.start', 'UNREACHABLE_STOP 12 states.start'],
  ],
  [
    'a condition that does not parse',
    '"true"',
    '"common_data.x >"',
    ['CONDITION_INVALID 18 states[0].transition[0].condition'],
  ],
  ['a condition with unknown names', '"true"', '"done"', ['CONDITION_INVALID 18 states[0].transition[0].condition']],
  [
    'an input that is a sentence',
    'input: common_data.task',
    'input: Please write the code',
    ['EXPRESSION_INVALID 14 states[0].input'],
  ],
  ['an input that is one word', 'input: common_data.task', 'input: hello', ['EXPRESSION_INVALID 14 states[0].input']],
  [
    'a result that is a sentence',
    'input: common_data.result',
    'input: All done',
    ['EXPRESSION_INVALID 20 states[1].input'],
  ],
  [
    'a script that does not parse',
    '{function: sendUserMessage}',
    '{script: "let ="}',
    ['SCRIPT_INVALID 15 states[0].action.script'],
  ],
  [
    'a script that wants the network',
    '{function: sendUserMessage}',
    '{script: "fetch(1)"}',
    ['SCRIPT_INVALID 15 states[0].action.script'],
  ],
  [
    'a role that takes part twice',
    'agent_role: reviewer',
    'agent_role: coder',
    ['AGENT_DUPLICATE 10 agents[1].agent_role'],
  ],
  [
    'a context given twice',
    '  - name: talk',
    '  - name: talk\n  - name: talk',
    ['CONTEXT_DUPLICATE 8 contexts[1].name'],
  ],
  [
    'a state given twice',
    '  - name: stop',
    '  - name: start\n    transition: [{target: stop}]\n  - name: stop',
    ['STATE_DUPLICATE 19 states[1].name'],
  ],
  [
    'a context of no length',
    '- name: talk',
    '- {name: talk, max_length: 0}',
    ['VALUE_INVALID 7 contexts[0].max_length'],
  ],
  [
    'stop with a transition',
    '    input: common_data.result',
    '    transition: [{target: start}]',
    ['STOP_IS_FINAL 20 states[1].transition'],
  ],
  ['stop with an agent', '    input: common_data.result', '    agent: coder', ['STOP_IS_FINAL 20 states[1].agent']],
  [
    'a function without an agent',
    '    agent: coder\n',
    '',
    ['INPUT_UNUSED 13 states[0].input', 'AGENT_MISSING 14 states[0].action.function'],
  ],
  ['an unknown function', 'sendUserMessage', 'sendMessage', ['VALUE_INVALID 15 states[0].action.function']],
  [
    'getting no message',
    '    input: common_data.task\n    action: {function: sendUserMessage}',
    '    action: {function: addUserMessage}',
    ['INPUT_MISSING 14 states[0].action.function'],
  ],
  [
    'an agent and a sub-workflow',
    '{function: sendUserMessage}',
    '{sub_workflow: other}',
    ['ACTION_CONFLICT 15 states[0].action.sub_workflow'],
  ],
  [
    'input for no sub-workflow',
    '{function: sendUserMessage}',
    '{sub_workflow_input: {a: common_data.b}}',
    ['SUB_WORKFLOW_MISSING 15 states[0].action.sub_workflow_input'],
  ],
  [
    'a sub-workflow input that is a sentence',
    '    agent: coder\n    input: common_data.task\n    action: {function: sendUserMessage}',
    '    action: {sub_workflow: other, sub_workflow_input: {a: not code}}',
    ['EXPRESSION_INVALID 13 states[0].action.sub_workflow_input.a'],
  ],
  [
    'the function script without one',
    'sendUserMessage',
    'script',
    ['INPUT_UNUSED 14 states[0].input', 'SCRIPT_MISSING 15 states[0].action.function'],
  ],
  [
    'both agent and agents',
    '    agent: coder',
    '    agent: coder\n    agents: [reviewer]',
    ['ACTION_CONFLICT 14 states[0].agents'],
  ],
  [
    'the same agent twice at once',
    '    agent: coder',
    '    agents: [coder, coder]',
    ['AGENT_DUPLICATE 13 states[0].agents[1]'],
  ],
  [
    'telling several agents at once',
    '    agent: coder\n    input: common_data.task\n    action: {function: sendUserMessage}',
    '    agents: [coder]\n    input: common_data.task\n    action: {function: addUserMessage}',
    ['ACTION_CONFLICT 15 states[0].action.function'],
  ],
  [
    'a failure that leads nowhere',
    '    agent: coder',
    '    agent: coder\n    on_failure: repair',
    ['STATE_UNKNOWN 14 states[0].on_failure'],
  ],
  [
    'a timeout of no time',
    '    agent: coder',
    '    agent: coder\n    timeout_s: 0',
    ['VALUE_INVALID 14 states[0].timeout_s'],
  ],
  [
    'code that asks for an agent who is not there',
    '"true"',
    `"this.getAgent('tester').getLastResponse() === ''"`,
    ['AGENT_UNKNOWN 17 states.start'],
  ],
  [
    'code that reads a context that is not there',
    'input: common_data.task',
    'input: contexts.other.messages.length',
    ['CONTEXT_UNKNOWN 12 states.start'],
  ],
] as const)('[L3] %s is reported with its line', ([, from, to, expected]) => {
  expect(edit(from, to)).toEqual(expected);
});

test('[L3] all problems of a file are reported at once, also in parts that are fine', () => {
  const bad = GOOD.replace('max_iterations: 3', 'max_iterations: -1')
    .replace('role: user', 'role: boss')
    .replace('target: stop', 'target: nowhere')
    .replace('input: common_data.task', 'input: do it')
    .replace('input: common_data.result', 'result: common_data.result');
  expect(problemLines(bad)).toEqual([
    'LIMIT_INVALID 5 variables.max_iterations',
    'VALUE_INVALID 10 agents[1].role',
    'EXPRESSION_INVALID 14 states[0].input',
    'STATE_UNKNOWN 17 states[0].transition[0].target',
    'KEY_UNKNOWN 20 states[1].result',
  ]);
});

test('[L3] a part that is refused keeps its name, so references to it are not reported', () => {
  const bad = GOOD.replace('coder, context: talk, role: assistant', 'coder, context: talk, role: boss').replace(
    '  - name: talk',
    '  - {name: talk, max_length: none}',
  );
  expect(problemLines(bad)).toEqual(['VALUE_INVALID 7 contexts[0].max_length', 'VALUE_INVALID 9 agents[0].role']);
});

test('[L3] the rest of a refused part is checked: names and code are reported in the same pass', () => {
  const spoilt = GOOD.replace('    agent: coder', '    agnt: coder\n    timeout_s: never')
    .replace('target: stop', 'target: stpo\n        when: x')
    .replace('"true"', '"common_data.x >"')
    .replace('coder, context: talk', 'coder, contxt: talk, actor: 3')
    .replace('reviewer, context: talk', 'reviewer, context: walk, colour: red');
  expect(problemLines(spoilt)).toEqual([
    'KEY_MISSING 9 agents[0].context',
    'KEY_UNKNOWN 9 agents[0].contxt',
    'VALUE_INVALID 9 agents[0].actor',
    'CONTEXT_UNKNOWN 10 agents[1].context',
    'KEY_UNKNOWN 10 agents[1].colour',
    'KEY_UNKNOWN 13 states[0].agnt',
    'VALUE_INVALID 14 states[0].timeout_s',
    'STATE_UNKNOWN 18 states[0].transition[0].target',
    'KEY_UNKNOWN 19 states[0].transition[0].when',
    'CONDITION_INVALID 20 states[0].transition[0].condition',
  ]);
});

test('[L3] a missing value of a refused part is not reported a second time', () => {
  expect(edit('    agent: coder', '    agent: 3')).toEqual(['VALUE_INVALID 13 states[0].agent']);
  expect(edit('input: common_data.result', 'outcome: bad\n    failure: common_data.result')).toEqual([
    'VALUE_INVALID 20 states[1].outcome',
  ]);
  const halved = '- target: stop\n      - condition: "true"\n      - target: nowhere';
  expect(edit('- target: stop\n        condition: "true"', halved)).toEqual([
    'KEY_MISSING 18 states[0].transition[1].target',
  ]);
});

test('[L3] a problem says what is known and what was probably meant', () => {
  const [first] = problems(GOOD.replace('target: stop', 'target: stpo'));
  expect(first).toMatchObject({
    code: 'STATE_UNKNOWN',
    severity: 'error',
    file: 'w.yaml',
    message: 'There is no state named "stpo".',
    hint: 'Did you mean "stop"?',
  });
  const [second] = problems(GOOD.replace('    agent: coder', '    Agent: coder'));
  expect(second?.hint).toBe('Did you mean "agent"?');
});

test('[L3] thousands of problems are reported as a hundred and a number', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `key${index}: 1\n`).join('');
  const all = problems(keys + GOOD);
  expect(all).toHaveLength(101);
  expect(all.at(-1)).toMatchObject({ code: 'PROBLEMS_LEFT_OUT', message: 'There are 19900 more problems.' });
});

test.for([
  ['text', '"hello"', ['VALUE_INVALID 1 ']],
  ['null', 'null', ['VALUE_INVALID 1 ']],
  ['an empty list', '[]', ['WORKFLOW_MISSING 1 ']],
  ['a list of numbers', '[1]', ['VALUE_INVALID 1 [0]']],
  ['no states', '{workflow_name: w, states: []}', ['START_MISSING 1 states']],
  ['states that are no list', '{workflow_name: w, states: {}}', ['VALUE_INVALID 1 states']],
  [
    'the name of a prototype',
    '{workflow_name: w, states: [{name: __proto__}]}',
    ['START_MISSING 1 states', 'VALUE_INVALID 1 states[0].name'],
  ],
  [
    'two workflows of one name',
    `[${'{workflow_name: w, states: [{name: start, transition: [{target: stop}]}]},'.repeat(2)}]`,
    ['WORKFLOW_DUPLICATE 1 [1].workflow_name'],
  ],
] as const)('[L3] %s is refused as a workflow', ([, text, expected]) => {
  expect(problemLines(text)).toEqual(expected);
});

test('[U6] a transition after one that always holds, and an unreachable state, are warnings', () => {
  const odd = GOOD.replace(
    '        condition: "true"\n',
    '        condition: "true"\n      - target: start\n  - name: island\n    transition: [{target: stop}]\n',
  );
  expect(problems(odd).map(({ code, severity, at }) => `${severity} ${code} ${at?.line}`)).toEqual([
    'warning TRANSITION_NEVER_TAKEN 19',
    'warning UNREACHABLE_STATE 20',
  ]);
});

test('[L8] names that every object has are refused wherever a name is given, each at its line', () => {
  const text = GOOD.replace('{name: task', '{name: toString')
    .replace('{name: result', '{name: hasOwnProperty')
    .replace('max_iterations: 3', 'isPrototypeOf: 3')
    .replaceAll(/(name|context): talk/g, '$1: valueOf')
    .replaceAll(/(agent|agent_role): coder/g, '$1: toLocaleString')
    .replace('target: stop', 'target: __defineGetter__')
    .replace('  - name: stop', '  - name: __defineGetter__\n    transition: [{target: stop}]\n  - name: stop');
  expect(problemLines(text)).toEqual([
    'NAME_RESERVED 2 inputs.toString',
    'NAME_RESERVED 3 output',
    'NAME_RESERVED 5 data.isPrototypeOf',
    'NAME_RESERVED 7 contexts.valueOf',
    'NAME_RESERVED 9 agents.toLocaleString',
    'NAME_RESERVED 19 states.__defineGetter__',
  ]);
});

test.for(['constructor', 'prototype', '__proto__'])('[L8] the name %s is refused too', (name) => {
  expect(edit('name: task', `name: ${name}`)).toEqual(['VALUE_INVALID 2 input.name']);
});
