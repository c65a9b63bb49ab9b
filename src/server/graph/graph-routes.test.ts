import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { runId } from '../../core/model/ids.ts';
import { began, testRecords } from '../../protocol/workflow-state/testing/test-records.ts';
import type { GraphView } from '../../protocol/web/graph-view.ts';
import type { Operations } from '../operations.ts';
import { errorBody, statusOf } from '../http/api-error.ts';
import { addGraphRoutes } from './graph-routes.ts';
import { planStep } from './testing/plan-step.ts';

const flow = defineWorkflow({
  name: 'flow',
  start: 'first',
  agents: {},
  states: { first: { work: { kind: 'call', workflow: 'step' }, transitions: ['stop'] }, stop: { kind: 'end' } },
});
const definition: Definition = { workflow: flow, library: { step: planStep }, roles: {} };
const line = { name: 'flow', description: '', origin: 'project', file: null, inputs: [] } as const;
const page = { ...line, text: null, workflow: flow, problems: [], roles: [] };

/** The world as far as pictures need it. */
async function anApp(): Promise<Hono> {
  const journal = createMemoryJournal();
  const about = { run: runId('r/t1'), parent: null, workflow: 'flow', project: '/p', title: '', at: 1 };
  const summary = { status: 'running', outcome: null } as const;
  await journal.create(about, 'me', { records: testRecords([began('r/t1')]), summary });
  const nothing = (): Promise<never> => Promise.reject(new Fault('USAGE', 'Nobody asks for this here.'));
  const operations: Operations = {
    version: '0',
    home: '/h',
    project: '/p',
    journal,
    workers: null,
    schedules: { list: () => Promise.reject(new Error('none')), remove: () => Promise.reject(new Error('none')) },
    look: nothing,
    act: nothing,
    pour: () => ReadableStream.from<Uint8Array>([]),
    file: nothing,
    definition: () => Promise.resolve(definition),
    drawing: (workflow) => Promise.resolve({ workflow, units: {} }),
    workflows: () => Promise.resolve([line]),
    workflow: (name) => {
      if (name === 'a b/flow.yaml#flow') return Promise.resolve({ page, definition });
      if (name === 'broken') return Promise.resolve({ page: { ...page, workflow: null }, definition: null });
      return Promise.reject(new Fault('WORKFLOW_UNKNOWN', 'There is none.'));
    },
    check: (source) => Promise.resolve({ kind: 'check', ok: true, workflows: [JSON.stringify(source)], problems: [] }),
  };
  const app = new Hono();
  app.onError((error, context) => context.json(errorBody(error), isFault(error) ? statusOf(error.code) : 500));
  addGraphRoutes(app, operations);
  return app;
}

const graphOf = async (response: Response): Promise<GraphView> => (await response.json()) as GraphView;

test('[U9] the graph of a run comes folded or open and in the direction that was wished for', async () => {
  const app = await anApp();
  const path = `/api/runs/${encodeURIComponent('r/t1')}/graph`;
  const folded = await graphOf(await app.request(path));
  expect(folded.nodes.map(({ id, inside }) => [id, inside])).toEqual([
    ['*', 'none'],
    ['first', 'folded'],
    ['stop', 'none'],
  ]);
  const open = await graphOf(await app.request(`${path}?open=first,other&direction=down`));
  expect(open.direction).toBe('down');
  expect(open.nodes.map(({ id }) => id)).toContain('first/~/plan');
});

test('[U9] a run that is not there is 404, a direction that is none 400', async () => {
  const app = await anApp();
  expect((await app.request('/api/runs/nobody/graph')).status).toBe(404);
  const wrong = await app.request(`/api/runs/${encodeURIComponent('r/t1')}/graph?direction=up`);
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
});

test('[U9] a workflow is asked for by name or file; one that cannot be drawn has no graph', async () => {
  const app = await anApp();
  const found = await app.request(`/api/workflows/${encodeURIComponent('a b/flow.yaml#flow')}`);
  expect(await found.json()).toMatchObject({ name: 'flow', graph: { nodes: [{}, { id: 'first' }, {}] } });
  expect(await (await app.request('/api/workflows/broken')).json()).toMatchObject({ graph: null });
  expect((await app.request('/api/workflows/nobody')).status).toBe(404);
  expect(await (await app.request('/api/workflows')).json()).toEqual({ kind: 'workflows', items: [line], next: null });
});

test('[U9] a file or a text is checked, and nothing else', async () => {
  const app = await anApp();
  const post = (body: unknown) => app.request('/api/check', { method: 'POST', body: JSON.stringify(body) });
  expect(await (await post({ text: 'x', name: 'a.yaml' })).json()).toMatchObject({ ok: true });
  expect(await (await post({ file: 'a.yaml' })).json()).toMatchObject({ workflows: ['{"file":"a.yaml"}'] });
  for (const body of [{}, { file: 'a', text: 'b' }, { file: '' }, { text: 1 }])
    expect((await post(body)).status).toBe(400);
});
