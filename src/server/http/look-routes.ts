import type { Context, Hono } from 'hono';
import { isFault } from '../../core/fault.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { optionWords } from '../../protocol/web/action.ts';
import type { Backstage } from '../backstage.ts';
import { definingRecords } from '../../app/library/defining-records.ts';
import { addContentRoutes } from './content-routes.ts';
import { artifactsQuery, changesQuery, compareQuery, logsQuery, requestsQuery } from './look-queries.ts';
import { jsonAnswer, queryOf, runOf } from './request-parts.ts';

/** Whatever only looks: the answer is what the command of the same name prints with `--json`. */
export function addLookRoutes(app: Hono, backstage: Backstage): void {
  app.get('/api/about', (context) =>
    context.json({ version: backstage.version, project: backstage.project, home: backstage.home }),
  );
  app.get('/api/runs/:run', looking(backstage, 'show'));
  app.get('/api/runs/:run/questions', async (context) =>
    jsonAnswer(context, questionsOf(await look(context, backstage, { name: 'show' }))),
  );
  app.get('/api/runs/:run/debate', looking(backstage, 'debate'));
  app.get('/api/runs/:run/messages', looking(backstage, 'messages'));
  app.get('/api/runs/:run/requests', looking(backstage, 'prompt', requestsOptions));
  app.get('/api/runs/:run/metrics', looking(backstage, 'metrics'));
  app.get('/api/runs/:run/compare', looking(backstage, 'compare', compareOptions));
  app.get('/api/runs/:run/artifacts', looking(backstage, 'artifacts', artifactsOptions));
  app.get('/api/runs/:run/changes', looking(backstage, 'diff', changesOptions));
  app.get(
    '/api/runs/:run/branches',
    looking(backstage, 'diff', () => ['--branches']),
  );
  app.get('/api/runs/:run/logs', async (context) => jsonAnswer(context, await rawLines(context, backstage)));
  app.get('/api/runs/:run/definition', async (context) => {
    const { run } = await runOf(context, backstage);
    return context.json(await backstage.definition(await definingRecords(backstage.journal, run)));
  });
  addContentRoutes(app, backstage);
}

type Options = (context: Context) => readonly string[];

const looking =
  (backstage: Backstage, name: string, options: Options = () => []) =>
  async (context: Context): Promise<Response> =>
    jsonAnswer(context, await look(context, backstage, { name, options: options(context) }));

interface Looked {
  readonly name: string;
  readonly options?: readonly string[];
}

async function look(context: Context, backstage: Backstage, { name, options = [] }: Looked): Promise<Json> {
  const { run } = await runOf(context, backstage);
  return await backstage.look([name, ...options, '--', run], { signal: context.req.raw.signal });
}

const questionsOf = (view: Json): Json => (isJsonObject(view) ? (view['questions'] ?? []) : []);

const compareOptions: Options = (context) => {
  const { diff } = queryOf(context, compareQuery);
  return diff === undefined ? [] : diff.split(',').flatMap((name) => ['--diff', name]);
};

const requestsOptions: Options = (context) => {
  const { call } = queryOf(context, requestsQuery);
  return [...(call === undefined ? [] : ['--call', call]), 'trace'];
};

const artifactsOptions: Options = (context) => (queryOf(context, artifactsQuery).why === undefined ? [] : ['--why']);

const changesOptions: Options = (context) => {
  const { project, disk, stat, ...named } = queryOf(context, changesQuery);
  return [
    ...Object.entries(named).flatMap(([name, value]) => optionWords(`--${name}`, value)),
    ...(project === undefined ? [] : ['--project']),
    ...(disk === undefined ? [] : ['--disk']),
    ...(stat === undefined ? [] : ['--stat']),
  ];
};

/** A run without clients has no such lines, which is no fault of whoever looks. */
async function rawLines(context: Context, backstage: Backstage): Promise<Json> {
  const { task } = queryOf(context, logsQuery);
  const options = ['--raw', ...(task === undefined ? [] : ['--task', task])];
  try {
    const lines = await look(context, backstage, { name: 'logs', options });
    return { lines: Array.isArray(lines) ? lines : [lines] };
  } catch (error) {
    if (isFault(error) && error.code === 'RAW_MISSING') return { lines: [] };
    throw error;
  }
}
