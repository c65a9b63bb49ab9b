import type { Context, Hono } from 'hono';
import { isFault } from '../../core/fault.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { Backstage } from '../backstage.ts';
import { definingRecords } from '../../app/library/defining-records.ts';
import { addContentRoutes } from './content-routes.ts';
import { artifactsQuery, changesQuery, compareQuery, logsQuery, requestsQuery } from './look-queries.ts';
import { queryOf, runOf } from './request-parts.ts';

/** Whatever only looks. */
export function addLookRoutes(app: Hono, backstage: Backstage): void {
  app.get('/api/about', (context) =>
    context.json({ version: backstage.version, project: backstage.project, home: backstage.home }),
  );
  const looking = (path: string, viewOf: ViewOf): void => {
    app.get(`/api/runs/:run${path}`, async (context) => context.json(await look(context, backstage, viewOf)));
  };
  looking('', (run) => ({ kind: 'show', run }));
  looking('/debate', (run) => ({ kind: 'debate', run }));
  looking('/messages', (run) => ({ kind: 'messages', run }));
  looking('/metrics', (run) => ({ kind: 'metrics', run }));
  looking('/branches', (run) => ({ kind: 'branches', run }));
  looking('/requests', requestsView);
  looking('/compare', compareView);
  looking('/artifacts', artifactsView);
  looking('/changes', changesView);
  app.get('/api/runs/:run/questions', async (context) => {
    const { run } = await runOf(context, backstage);
    const { questions } = await backstage.look({ kind: 'show', run });
    return context.json({ kind: 'questions', run, ...whole(questions) });
  });
  app.get('/api/runs/:run/logs', async (context) => context.json(await rawLines(context, backstage)));
  app.get('/api/runs/:run/definition', async (context) => {
    const { run } = await runOf(context, backstage);
    return context.json(await backstage.definition(await definingRecords(backstage.journal, run)));
  });
  addContentRoutes(app, backstage);
}

type ViewOf = (run: string, context: Context) => View;

async function look(context: Context, backstage: Backstage, viewOf: ViewOf): Promise<Shown> {
  const { run } = await runOf(context, backstage);
  return await backstage.look(viewOf(run, context), { signal: context.req.raw.signal });
}

const compareView: ViewOf = (run, context) => {
  const { diff } = queryOf(context, compareQuery);
  const [one, other] = diff?.split(',') ?? [];
  return { kind: 'compare', run, ...(one === undefined || other === undefined ? {} : { between: [one, other] }) };
};

const requestsView: ViewOf = (run, context) => {
  const { call } = queryOf(context, requestsQuery);
  return { kind: 'requests', run, ...(call === undefined ? {} : { call: Number(call) }) };
};

const artifactsView: ViewOf = (run, context) => {
  const { why } = queryOf(context, artifactsQuery);
  return { kind: 'artifacts', run, ...(why === undefined ? {} : { why: true }) };
};

const changesView: ViewOf = (run, context) => {
  const { project, disk, stat, ...named } = queryOf(context, changesQuery);
  return {
    kind: 'changes',
    run,
    ...named,
    ...(project === undefined ? {} : { project: true }),
    ...(disk === undefined ? {} : { disk: true }),
    ...(stat === undefined ? {} : { stat: true }),
  };
};

/** A run without clients has no such lines, which is no fault of whoever looks. */
async function rawLines(context: Context, backstage: Backstage): Promise<Shown<'rawLogs'>> {
  const { task } = queryOf(context, logsQuery);
  const { run } = await runOf(context, backstage);
  try {
    const { signal } = context.req.raw;
    return await backstage.look({ kind: 'rawLogs', run, ...(task === undefined ? {} : { task }) }, { signal });
  } catch (error) {
    if (isFault(error) && error.code === 'RAW_MISSING') return { kind: 'lines', run, ...whole([]) };
    throw error;
  }
}
