import { expect, test } from 'vitest';
import { defineTool, defineWorkflow } from '../../src/index.ts';
import { codeOf, libraryProject } from './library.ts';

test('[U3] a workflow written in TypeScript runs in process, with its own tools', async () => {
  const add = defineTool<{ readonly a: number; readonly b: number }>({
    name: 'add',
    description: 'Adds two numbers.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    repeat: 'safe',
    run: ({ a, b }) => String(a + b),
  });
  const sum = defineWorkflow({
    name: 'sum',
    inputs: { question: 'string' },
    output: 'answer',
    data: { answer: '' },
    agents: { clerk: {} },
    states: {
      start: {
        work: { kind: 'turn', agent: 'clerk', input: 'common_data.question' },
        transitions: [{ target: 'done', assign: 'this.common_data.answer = result' }],
      },
      done: { kind: 'end' },
    },
  });
  const seen: string[] = [];
  const { open } = await libraryProject({
    rules: [{ steps: [{ tools: [{ name: 'add', arguments: { a: 2, b: 3 } }] }, 'It is 5.'] }],
  });
  const troupe = await open({
    roles: { clerk: {} },
    tools: [add],
    onLive: (event) => {
      if (event.kind === 'record' && event.record.fact.kind === 'tool.finished') seen.push(event.record.fact.content);
    },
  });
  const run = await troupe.start(sum, { input: 'What is 2 + 3?' });
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'It is 5.', usage: { calls: 2 } });
  expect(seen).toEqual(['5']);
});

test('[U3] a workflow calls another one by value', async () => {
  const inner = defineWorkflow({
    name: 'inner',
    inputs: { number: 'number' },
    states: { start: { transitions: ['done'] }, done: { kind: 'end', output: 'common_data.number * 2' } },
  });
  const outer = defineWorkflow({
    name: 'outer',
    inputs: { number: 'number' },
    states: {
      start: {
        work: { kind: 'call', workflow: inner, input: { number: 'common_data.number' } },
        transitions: ['done'],
      },
      done: { kind: 'end', output: 'this.sub_workflow_result + 1' },
    },
  });
  const troupe = await (await libraryProject()).open();
  const run = await troupe.start(outer, { input: { number: 20 } });
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 41 });
});

test('[U3] input that does not fit is a fault before anything runs', async () => {
  const workflow = defineWorkflow({
    name: 'w',
    inputs: { number: 'number' },
    states: { start: { transitions: ['done'] }, done: { kind: 'end' } },
  });
  const troupe = await (await libraryProject()).open();
  expect(await codeOf(troupe.start(workflow, { input: { number: 'many' } }))).toBe('INPUT_INVALID');
});

test('[Q8] a role that is given may be one to start sub-agents of; one that is not given is reported', async () => {
  const flow = defineWorkflow({
    name: 'flow',
    agents: { lead: {} },
    states: {
      start: { work: { kind: 'turn', agent: 'lead', input: "'x'" }, transitions: ['done'] },
      done: { kind: 'end' },
    },
  });
  const { open } = await libraryProject({ rules: [{ reply: 'Done.' }] });
  const troupe = await open({ roles: { lead: { tasks: ['helper'] }, helper: {} } });
  const run = await troupe.start(flow);
  expect(await run.result()).toMatchObject({ outcome: 'ok' });
  const without = await open({ roles: { lead: { tasks: ['helper'] } } });
  await expect(without.start(flow)).rejects.toMatchObject({
    code: 'WORKFLOW_INVALID',
    problems: [{ code: 'ROLE_UNKNOWN', path: 'roles.lead.tasks' }],
  });
});
