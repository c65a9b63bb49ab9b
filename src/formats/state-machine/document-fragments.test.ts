import { expect, test } from 'vitest';
import { parseStateMachine } from './parse-state-machine.ts';
import { nowhere } from '../../source/place.ts';
import type { Json } from '../../core/model/json.ts';

/** Every state, transition and expression that the format's description shows by itself, put into a workflow. */

const agents = ['coder', 'reviewer', 'product_manager'].map((role) => ({
  agent_role: role,
  context: 'code_history',
  role: 'assistant',
}));
const otherStates = ['next_state', 'continue_work', 'finish', 'process_result'].map((name) => ({
  name,
  transition: [{ target: 'stop', condition: 'true' }],
}));

const accept = (start: { readonly [key: string]: Json }) => {
  const states = [
    { name: 'start', transition: [{ target: 'fragment' }] },
    { ...start, name: 'fragment' },
    ...otherStates,
  ];
  const document = { workflow_name: 'w', contexts: [{ name: 'code_history' }, { name: 'pm_context' }], agents, states };
  const result = parseStateMachine(document, { file: 'w.json', locate: nowhere });
  return result.ok ? 'ok' : result.problems.map((problem) => `${problem.code}: ${problem.message}`);
};

const before = '() => { this.common_data.implementation = this.sub_workflow_result; }';

test.for<[string, { readonly [key: string]: Json }]>([
  [
    'a sub-workflow',
    {
      action: { sub_workflow: 'coder_reviewer', sub_workflow_input: { task_to_do: 'common_data.implementation_task' } },
      transition: [{ target: 'process_result', condition: 'true', before }],
    },
  ],
  [
    'a loop on tool calls',
    {
      agent: 'coder',
      input: 'common_data.task',
      action: { function: 'sendUserMessage' },
      transition: [
        { target: 'fragment', condition: "this.getToolCalls('coder').length > 0" },
        { target: 'next_state', condition: 'true' },
      ],
    },
  ],
  [
    'a branch on a structured reply',
    {
      agent: 'reviewer',
      transition: [
        {
          target: 'continue_work',
          condition: 'function.review_work.arguments.improvement_needed === true',
          before: '() => { this.common_data.feedback = function.review_work.arguments.continue_message; }',
        },
        { target: 'finish', condition: 'function.review_work.arguments.improvement_needed === false' },
      ],
    },
  ],
  [
    'an initialisation that only holds a comment',
    { action: { script: '() => { /* initialization */ }' }, transition: [{ target: 'next_state', condition: 'true' }] },
  ],
])('[SM1] the fragment with %s is accepted', ([, state]) => {
  expect(accept(state)).toBe('ok');
});

test.for([
  'true',
  'this.common_data.iteration_count < 5',
  "this.getToolCalls('coder').length > 0",
  'function.review_work.arguments.improvement_needed === true',
  'function.task_approval.arguments.approved === false',
  "this.last_parsing_tool_calls.find(call => call.function.name === 'review_work')?.function.arguments.improvement_needed === true",
  "this.agents.get('coder').getLastResponse() !== ''",
  "this.contexts.get('code_history').messages.length < 100",
  'this.last_agent_response.length > 0 && this.last_tool_calls.length === 0',
])('[SM5] the condition %s is accepted', (condition) => {
  expect(accept({ agent: 'coder', transition: [{ target: 'next_state', condition }] })).toBe('ok');
});

test.for([
  'common_data.current_task',
  'variables.max_iterations',
  'common_data.variables.max_iterations',
  'agents.coder.getLastResponse()',
  'agents.product_manager.getLastResponse()',
  'contexts.code_history.messages',
  'contexts.pm_context.messages[contexts.pm_context.messages.length - 1].content',
  "'Task ' + common_data.current_task_index + ': ' + common_data.task_list[common_data.current_task_index].description",
])('[SM5] the input %s is accepted', (input) => {
  expect(accept({ agent: 'coder', input, transition: [{ target: 'next_state' }] })).toBe('ok');
});

test.for([
  "executionContext => { this.common_data.current_task = 'New task: ' + this.common_data.user_input; this.common_data.iteration_count = (this.common_data.iteration_count || 0) + 1; }",
  "this.common_data.seen = this.getAgent('coder').getRole() + this.getContext('pm_context').messages.length;",
  "() => { this.common_data.value = this.evaluateExpression('common_data.x'); }",
])('[SM5] the script %s is accepted', (script) => {
  expect(accept({ action: { script }, transition: [{ target: 'next_state' }] })).toBe('ok');
});
