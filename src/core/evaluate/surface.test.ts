import { expect, test } from 'vitest';
import { surfaceOf } from './surface.ts';
import { agent, ask, context, definitionOf, end, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';

test('[L8] an agent and a context with the name of a method have nothing until something was said', () => {
  const definition = definitionOf([work('start', ask('toString'), { transitions: [to('stop')] }), end()], {
    agents: [agent('toString', { context: 'valueOf' })],
    contexts: [context('valueOf')],
  });
  const run = new TestedRun(definition);
  const snapshot = { ...run.snapshot, contexts: {}, lastAgent: 'toString' };
  const surface = surfaceOf(definition.workflow, snapshot, {});
  expect(surface.agents['toString']).toMatchObject({ lastResponse: '', toolCalls: [], parsingToolCalls: [] });
  expect(surface.contexts['valueOf']).toEqual({ name: 'valueOf', messages: [], max_length: 0 });
  expect(surface.last_agent_response).toBeNull();
  expect(surface.last_tool_calls).toEqual([]);
});

test('[SM5] the agent’s answer is found under its name', () => {
  const definition = definitionOf([
    work('start', ask('coder'), { transitions: [to('again')] }),
    work('again', ask('coder'), { transitions: [to('stop')] }),
    end(),
  ]);
  const run = new TestedRun(definition);
  run.says('t1', 'Done.');
  const surface = surfaceOf(definition.workflow, run.snapshot, {});
  expect(surface.agents['coder']?.lastResponse).toBe('Done.');
  expect(surface.last_agent_response).toBe('Done.');
  expect(surface.contexts['talk']?.messages.length).toBeGreaterThan(0);
});
