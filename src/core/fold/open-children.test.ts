import { expect, test } from 'vitest';
import { openChildren, subAgentTask } from './open-children.ts';
import { taskId } from '../model/ids.ts';
import type { Role, RoleMode } from '../model/role.ts';
import { subAgentDefinition } from '../model/sub-agent.ts';
import { ask, command, definitionOf, end, fixed, pool, to, work } from '../testing/definitions.ts';
import { call, TestedRun } from '../testing/tested-run.ts';
import { validateWorkflow } from '../check/validate.ts';
import type { Work } from '../model/workflow.ts';

const doing = (what: Work, parts: Parameters<typeof definitionOf>[1] = {}) =>
  new TestedRun(definitionOf([work('start', what, { transitions: [to('stop')] }), end()], parts));

const childrenOf = (run: TestedRun) => openChildren(run.snapshot).map(({ run: child }) => child);

test('[Q8] the child runs of a run are the workflows it calls, while they run', () => {
  const run = doing(pool(fixed({ a: [], b: [] }, { kind: 'call', workflow: 'child', input: {} })));
  expect(childrenOf(run)).toEqual(['run-1/t2', 'run-1/t3']);
  run.done('t2');
  expect(childrenOf(run)).toEqual(['run-1/t3']);
  expect(childrenOf(doing(command()))).toEqual([]);
});

test('[Q8] and the sub-agents its agents have started, but none that a person has not allowed yet', () => {
  const toolCalls = [call('x', 'grep'), call('y', 'task'), call('z', 'task')];
  const run = doing(ask('coder'));
  run.says('t1', '', { toolCalls });
  expect(childrenOf(run)).toEqual(['run-1/t1-1.1', 'run-1/t1-1.2']);
  run.toolReturns('t1', 'y');
  expect(childrenOf(run)).toEqual(['run-1/t1-1.2']);
  const asking = doing(ask('coder'), { ask: ['task'] });
  asking.says('t1', '', { toolCalls });
  expect(childrenOf(asking)).toEqual([]);
  asking.answers('permit/t1/z', 'yes');
  expect(childrenOf(asking)).toEqual(['run-1/t1-1.2']);
});

test('[Q8] a sub-agent has the same name on every replay, and another one in the next call', () => {
  const run = doing(ask('coder'));
  run.says('t1', '', { toolCalls: [call('same', 'task')] });
  const first = childrenOf(run);
  expect(openChildren(run.at(run.records.length)).map(({ run: child }) => child)).toEqual(first);
  run.toolReturns('t1', 'same');
  run.says('t1', '', { call: 2, toolCalls: [call('same', 'task')] });
  expect(childrenOf(run)).toEqual(['run-1/t1-2.0']);
  expect(subAgentTask(run.snapshot, taskId('t9'), 'x')).toBe('t9-0.-1');
  // After a rollback the same call has a different name.
  expect(subAgentTask({ ...run.snapshot, rewinds: 2 }, taskId('t1'), 'same')).toBe('t1-2.0.r2');
});

const STARTER: Role = {
  name: 'coder',
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
  mode: 'commands',
};

test('[PH3] a sub-agent may do no more than the agent that starts it', () => {
  const tested = definitionOf([end()]);
  const [coder, reviewer] = [tested.roles['coder'] ?? STARTER, tested.roles['reviewer'] ?? STARTER];
  const modeIn = (starter: Role, mode: RoleMode | undefined) => {
    const roles = { ...tested.roles, reviewer: mode === undefined ? reviewer : { ...reviewer, mode } };
    return subAgentDefinition({ ...tested, roles }, 'reviewer', starter).roles['reviewer']?.mode;
  };
  expect(modeIn(STARTER, undefined)).toBe('commands');
  expect(modeIn({ ...STARTER, mode: 'read' }, 'commands')).toBe('read');
  expect(modeIn(STARTER, 'read')).toBe('read');
  expect(modeIn(coder, 'write')).toBe('write');
  expect(subAgentDefinition(tested, 'coder', STARTER).roles['coder']).toEqual(STARTER);
});

test('[Q8] a sub-agent is a workflow like any other: it gets an order, and its last message is the result', () => {
  const definition = subAgentDefinition(definitionOf([end()]), 'reviewer', STARTER);
  expect(validateWorkflow(definition.workflow)).toEqual([]);
  const run = new TestedRun(definition, { input: { prompt: 'Look at it.' } });
  expect(run.ofKind('task.started')[0]?.work).toMatchObject({ kind: 'turn', agent: 'reviewer', input: 'Look at it.' });
  run.says('t1', 'It is fine.', { author: 'reviewer' });
  expect(run.snapshot.result).toMatchObject({ outcome: 'ok', output: 'It is fine.' });
});
