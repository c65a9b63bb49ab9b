import type { Hono } from 'hono';
import type { Operations } from '../operations.ts';
import { bodyOf, queryOf, runOf } from '../http/request-parts.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { whole } from '../../protocol/whole-list.ts';
import { FlowLayout } from './lay-flow.ts';
import { RunGraphs } from './run-graphs.ts';

const RUN_GRAPH = PROJECT.runGraph.request.omit({ run: true });
const WORKFLOW = PROJECT.workflow.request.omit({ workflow: true });
const WARM_AFTER_MS = 300;

/** Workflows and runs as pictures, and all that is wrong with the files they come from. */
export function addGraphRoutes(app: Hono, operations: Operations): void {
  const layout = new FlowLayout();
  const graphs = new RunGraphs(operations, layout);
  // After the server has answered who comes first.
  setTimeout(() => layout.warm(), WARM_AFTER_MS).unref();
  app.get('/api/runs/:run/graph', async (context) => {
    const wish = queryOf(context, RUN_GRAPH);
    const { run } = await runOf(context, operations);
    return context.json(await graphs.ofRun(run, wish));
  });
  app.get('/api/workflows', async (context) => {
    queryOf(context, PROJECT.workflows.request);
    return context.json({ kind: 'workflows', ...whole(await operations.workflows(operations.project)) });
  });
  app.get('/api/workflows/:name', async (context) => {
    const wish = queryOf(context, WORKFLOW);
    const { page, definition } = await operations.workflow(context.req.param('name'), operations.project);
    const graph = definition === null ? null : await graphs.ofDefinition(definition, operations.project, wish);
    return context.json({ ...page, graph });
  });
  app.post('/api/check', async (context) => {
    const source = await bodyOf(context, PROJECT.check.request);
    return context.json(await operations.check(source, operations.project));
  });
}
