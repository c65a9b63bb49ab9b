import type { Hono } from 'hono';
import { isFault } from '../../core/model/fault.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import { definingRecords } from '../../app/library/defining-records.ts';
import { workerLines } from '../../app/workers/run-worker.ts';
import type { Operations } from '../operations.ts';
import { API } from './api-table.ts';
import { visitorOf } from './door.ts';
import { addContentRoutes } from './content-routes.ts';
import { queryOf, runOf } from './request-parts.ts';

/** All routes that only read. */
export function addLookRoutes(app: Hono, operations: Operations): void {
  app.get('/api/about', (context) => {
    const { version, project, home } = operations;
    const { name, role, mostStreams } = visitorOf(context);
    const visitor = { name, role, isTeam: mostStreams !== null };
    return context.json({ version, project, home, hasWorkers: operations.workers !== null, visitor });
  });
  app.get('/api/workers', async (context) => {
    queryOf(context, PROJECT.workers.request);
    const lines = await workerLines(operations.journal, (await operations.workers?.()) ?? []);
    return context.json({ kind: 'workers', ...whole(lines) });
  });
  app.get('/api/schedules', async (context) => {
    queryOf(context, PROJECT.schedules.request);
    return context.json({ kind: 'schedules', ...whole(await operations.schedules.list()) });
  });
  for (const { path, view, query } of API) {
    if (view === undefined || query === undefined) continue;
    app.get(path.replace('{run}', ':run'), async (context) => {
      const given = queryOf(context, query);
      const { run } = await runOf(context, operations);
      // The table has each view with its own query.
      const wanted = { kind: view, run, ...given } as View;
      return context.json(await shown(operations, wanted, context.req.raw.signal));
    });
  }
  app.get('/api/runs/:run/questions', async (context) => {
    const { run } = await runOf(context, operations);
    const { questions } = await operations.look({ kind: 'show', run });
    return context.json({ kind: 'questions', run, ...whole(questions) });
  });
  app.get('/api/runs/:run/definition', async (context) => {
    const { run } = await runOf(context, operations);
    return context.json(await operations.definition(await definingRecords(operations.journal, run)));
  });
  addContentRoutes(app, operations);
}

/** A run without clients has no lines of theirs, which is no error of the page. */
async function shown(operations: Operations, view: View, signal: AbortSignal): Promise<Shown> {
  try {
    return await operations.look(view, { signal });
  } catch (error) {
    if (view.kind === 'rawLogs' && isFault(error) && error.code === 'RAW_MISSING')
      return { kind: 'lines', run: view.run, ...whole([]) };
    throw error;
  }
}
