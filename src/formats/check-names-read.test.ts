import { expect, test } from 'vitest';
import { checkNamesRead } from './check-names.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';
import { parseStateMachine } from './state-machine/parse-state-machine.ts';
import { dataSetIn } from '../core/evaluate/names-read.ts';
import { DEFAULT_LIMITS } from '../core/model/workflow.ts';
import { code, workState } from '../source/model-parts.ts';
import { readDocument } from '../source/read-document.ts';

const review = { type: 'object', properties: { improvement_needed: { type: 'boolean' } } } as const;
const roles = mergeRoles({
  coder: {},
  reviewer: { parsingTools: [{ name: 'review_work', description: '', parameters: review }] },
});

/** Line, code and hint of what is found in a workflow with one state between its start and its end. */
function found({ start = '', work = '', stop = '', before = '' }): readonly unknown[] {
  const text = `workflow_name: w
input: { name: task, type: string }
output: { name: answer, type: string }
contexts: [{ name: desk, max_length: 1000 }]
agents:
  - { agent_role: coder, context: desk, role: assistant }
  - { agent_role: reviewer, context: desk, role: user }
states:
  - name: start
    action: { script: "${start}" }
    transition: [{ target: work }]
  - name: work
    agent: coder
    input: "${work || 'common_data.task'}"
    action: { function: sendUserMessage }
    transition: [{ target: stop, condition: "${before || 'true'}" }]
  - name: stop${stop === '' ? '' : `\n    input: "${stop}"`}
`;
  const source = readDocument(text, { file: 'w.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  const parsed = parseStateMachine(source.value.document, { file: 'w.yaml', locate: source.value.locate });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const workflow = [parsed.value].flat()[0];
  if (workflow === undefined) throw new Error('There is no workflow.');
  return checkNamesRead(workflow, roles).map(({ code, at, hint }) => [code, at?.line, hint]);
}

const SET = "this.common_data.answer = 'x'";

test('[A3] a variable that is read and never set is a warning with the likely name', () => {
  expect(found({ start: SET, work: 'common_data.tsk' })).toEqual([['DATA_NEVER_SET', 12, 'Did you mean "task"?']]);
  const other = ["this.common_data['tsk']", 'common_data.variables.tsk', 'common_data.task + common_data.tsk'];
  for (const work of other) expect(found({ start: SET, work })).toEqual(found({ start: SET, work: 'common_data.tsk' }));
});

test('[A3] an argument that the schema of the reply does not have is a warning', () => {
  const before = 'function.review_work.arguments.improvement_need';
  expect(found({ start: SET, before })).toEqual([['ARGUMENT_UNKNOWN', 16, 'Did you mean "improvement_needed"?']]);
  expect(found({ start: SET, before: `${before}ed` })).toEqual([]);
});

test('[A3] a declared output that nothing sets is a warning', () => {
  expect(found({})).toEqual([['OUTPUT_NEVER_SET', 17, 'Known here: task.']]);
  expect(found({ start: SET })).toEqual([]);
  expect(found({ stop: 'common_data.task' })).toEqual([]);
});

test('[A3] what code for the isolate sets counts, and where it may set any name nothing is said', () => {
  const loop = "for (const one of [1]) this.common_data.answer = 'x'";
  expect(found({ start: loop })).toEqual([]);
  expect(found({ start: loop, work: 'common_data.tsk' })).toHaveLength(1);
  expect(found({ start: "for (const one of ['tsk']) this.common_data[one] = 1", work: 'common_data.tsk' })).toEqual([]);
});

test('[A3] a variable that a program keeps is set', () => {
  const kept = workState(
    'start',
    { kind: 'compute', program: 'p', input: code('null'), keeps: 'known' },
    { transitions: [] },
  );
  const workflow = {
    name: 'w',
    description: '',
    family: 'test',
    inputs: [],
    output: null,
    data: {},
    contexts: [],
    agents: [],
    start: 'start',
    states: { start: kept },
    limits: DEFAULT_LIMITS,
  };
  expect([...(dataSetIn(workflow) ?? [])]).toEqual(['known']);
});
