import type { Hono } from 'hono';
import type { z } from 'zod';
import type { Backstage } from '../backstage.ts';
import { bodyOf, queryOf, runOf } from '../http/request-parts.ts';
import { checkSourceSchema } from '../../protocol/web/workflow-page.ts';
import { whole } from '../../protocol/whole-list.ts';
import { graphQuery } from './graph-queries.ts';
import { FlowLayout } from './lay-flow.ts';
import { RunGraphs, type GraphWish } from './run-graphs.ts';

const WARM_AFTER_MS = 300;

/** Workflows and runs as pictures, and all that is wrong with the files they come from. */
export function addGraphRoutes(app: Hono, backstage: Backstage): void {
  const layout = new FlowLayout();
  const graphs = new RunGraphs(backstage, layout);
  // After the server has answered who comes first.
  setTimeout(() => layout.warm(), WARM_AFTER_MS).unref();
  app.get('/api/runs/:run/graph', async (context) => {
    const wish = wishOf(queryOf(context, graphQuery));
    const { run } = await runOf(context, backstage);
    return context.json(await graphs.ofRun(run, wish));
  });
  app.get('/api/workflows', async (context) =>
    context.json({ kind: 'workflows', ...whole(await backstage.workflows(backstage.project)) }),
  );
  app.get('/api/workflows/:name', async (context) => {
    const wish = wishOf(queryOf(context, graphQuery));
    const { page, definition } = await backstage.workflow(context.req.param('name'), backstage.project);
    const graph = definition === null ? null : await graphs.ofDefinition(definition, backstage.project, wish);
    return context.json({ ...page, graph });
  });
  app.post('/api/check', async (context) => {
    const source = await bodyOf(context, checkSourceSchema);
    return context.json(await backstage.check(source, backstage.project));
  });
}

function wishOf({ open, direction }: z.infer<typeof graphQuery>): GraphWish {
  const ids = open === undefined ? {} : { open: new Set(open.split(',').filter((id) => id !== '')) };
  return { ...ids, ...(direction === undefined ? {} : { direction }) };
}
