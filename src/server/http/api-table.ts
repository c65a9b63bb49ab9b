import { z } from 'zod';
import { IMMEDIATE_ACTS, ORDERS } from '../../protocol/operations/acts.ts';
import { ACT_BODIES } from './act-routes.ts';
import { streamRequestSchema } from '../../protocol/web/stream.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { FAMILY_VIEWS } from '../../formats/registry/views.ts';
import { VIEWS, type View } from '../../protocol/operations/views.ts';
import { line, listAnswer } from '../../protocol/operations/parts.ts';
import { definitionSchema } from '../../protocol/web/workflow-page.ts';
import { WIRE } from './named-schemas.ts';
import { ACCESS_ROLES } from '../../protocol/operations/access.ts';
import type { RouteSpec } from './route-spec.ts';

const text = z.string();
const record = z.int().min(0);
const download = z.literal(true).exactOptional().describe('As a file to keep');

/** Queries of routes that send content, or records as they are. */
export const QUERIES = {
  records: z.strictObject({
    after: record.default(0).describe('Records with a number above this one'),
    limit: z.int().min(1).max(10_000).default(2000),
  }),
  events: z.strictObject({
    after: record.default(0).describe('Records with a number above this one; a Last-Event-ID wins'),
  }),
  content: z.strictObject({ download }),
  file: z.strictObject({
    workspace: line.default('main'),
    path: line,
    at: z.int().positive().exactOptional().describe('As it was at this record'),
    tree: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .exactOptional()
      .describe('As it is in this tree, such as those that the changes name'),
    download,
  }),
} as const;

/** Views of single families. */
const FAMILY_NAMES = Object.keys(FAMILY_VIEWS) as (keyof typeof FAMILY_VIEWS)[];

type RouteParts = Omit<RouteSpec, 'method' | 'path' | 'operation'>;

const get = (path: string, operation: RouteSpec['operation'], parts: RouteParts): RouteSpec => ({
  method: 'get',
  path,
  operation,
  ...parts,
});

const post = (path: string, operation: RouteSpec['operation'], parts: RouteParts): RouteSpec => ({
  ...get(path, operation, parts),
  method: 'post',
});

const HERE: readonly RouteSpec[] = [
  post('/api/session', 'list', {
    summary: 'Takes the token (Authorization: Bearer) and gives a cookie',
    answer: { schema: z.object({ ok: z.literal(true) }) },
  }),
  post('/api/session/end', 'list', {
    summary: 'Ends the session of the cookie',
    answer: { schema: z.object({ ok: z.literal(true) }) },
  }),
  get('/api/about', 'list', {
    summary: 'Which Troupe this is, where, and who asks',
    answer: {
      schema: z.object({
        version: text,
        project: text,
        home: text,
        hasWorkers: z.boolean().describe('Machines share the journal, and workers drive its runs'),
        visitor: z.object({
          name: text,
          role: z.enum(ACCESS_ROLES),
          isTeam: z.boolean().describe('Signed in with a named token'),
        }),
      }),
    },
  }),
  get('/api/openapi.json', 'list', { summary: 'This document', answer: { schema: z.looseObject({ openapi: text }) } }),
];

const BOARD: readonly RouteSpec[] = [
  get('/api/runs', 'list', {
    summary: 'Runs, newest first',
    query: PROJECT.list.request,
    answer: { schema: WIRE.RunPage },
  }),
  get('/api/questions', 'list', { summary: 'Questions of all runs to a person', answer: { schema: WIRE.InboxPage } }),
  get('/api/workers', 'workers', {
    summary: 'Who drives the runs of a journal that machines share; none where this machine is alone',
    query: PROJECT.workers.request,
    answer: { schema: PROJECT.workers.answer },
  }),
  get('/api/schedules', 'schedules', {
    summary: 'When runs begin by themselves, and what became of the last ones',
    query: PROJECT.schedules.request,
    answer: { schema: PROJECT.schedules.answer },
  }),
  post('/api/schedules/{name}/remove', 'scheduleRemove', {
    summary: 'Ends a schedule; runs that it began go on',
    body: PROJECT.scheduleRemove.request.omit({ name: true }),
    answer: { schema: PROJECT.scheduleRemove.answer },
    errors: [400, 404],
  }),
  get('/api/search', 'search', {
    summary: 'Search in the records of a run, or over runs',
    query: PROJECT.search.request,
    answer: { schema: WIRE.SearchPage },
    errors: [404],
  }),
  post('/api/stream', 'list', {
    summary: 'Events of the named runs and their child runs, as they happen',
    body: streamRequestSchema,
    answer: { events: WIRE.StreamBatch },
    errors: [503],
  }),
];

const view = (kind: Exclude<View['kind'], 'artifact'>, path: string, summary: string): RouteSpec =>
  get(`/api/runs/{run}${path}`, kind, {
    summary,
    view: kind,
    query: (VIEWS[kind].request as z.ZodObject).omit({ run: true }),
    answer: { schema: VIEWS[kind].answer },
  });

const RUN: readonly RouteSpec[] = [
  view('show', '', 'The status of a run'),
  get('/api/runs/{run}/tree', 'show', { summary: 'The run and those below it', answer: { schema: WIRE.TreePage } }),
  get('/api/runs/{run}/definition', 'show', {
    summary: 'Its definition: workflow, roles, library',
    answer: { schema: definitionSchema },
  }),
  get('/api/runs/{run}/records', 'show', {
    summary: 'Its records, oldest first; long texts are cut',
    query: QUERIES.records,
    answer: { schema: WIRE.RecordPage },
  }),
  get('/api/runs/{run}/records/{seq}', 'show', { summary: 'One record, whole', answer: { schema: WIRE.RecordLine } }),
  get('/api/runs/{run}/events', 'show', {
    summary:
      'Its records as server-sent events: those there are, then those that come. The id is the number of the record',
    query: QUERIES.events,
    answer: { events: WIRE.RecordLine },
    errors: [503],
  }),
  get('/api/runs/{run}/graph', 'runGraph', {
    summary: 'Its workflow, laid out',
    query: PROJECT.runGraph.request.omit({ run: true }),
    answer: { schema: PROJECT.runGraph.answer },
  }),
  get('/api/runs/{run}/questions', 'show', {
    summary: 'Its questions',
    answer: { schema: listAnswer('questions', WIRE.Question).extend({ run: text }) },
  }),
  ...FAMILY_NAMES.map((name) => view(name, `/${name}`, FAMILY_VIEWS[name].summary)),
  view('messages', '/messages', 'Messages between its agents'),
  view('requests', '/requests', 'Every request to a model or a client as it left'),
  view('metrics', '/metrics', 'How long, how often, for how much'),
  view('artifacts', '/artifacts', 'Its artifacts'),
  get('/api/runs/{run}/artifacts/{id}', 'artifact', {
    summary: 'The content of one, as it was recorded',
    query: QUERIES.content,
    answer: { bytes: true },
    errors: [413],
  }),
  view('changes', '/changes', 'Its changes, as a patch'),
  view('branches', '/branches', 'Branches of its project that its changes can be compared with'),
  get('/api/runs/{run}/file', 'changes', {
    summary: 'A file of one of its workspaces',
    query: QUERIES.file,
    answer: { bytes: true },
    errors: [413],
  }),
  view('rawLogs', '/logs', 'The raw output of agents that are programs'),
];

const act = (name: Exclude<keyof typeof ACT_BODIES, 'start'>, summary: string): RouteSpec =>
  post(`/api/runs/{run}/${name}`, name, {
    summary,
    body: ACT_BODIES[name],
    answer: { schema: { ...ORDERS, ...IMMEDIATE_ACTS }[name].answer },
    errors: [400, 409, 503],
  });

const ACTS: readonly RouteSpec[] = [
  post('/api/runs', 'start', {
    summary: 'Starts a run; it outlives the server',
    body: ACT_BODIES.start,
    answer: { schema: ORDERS.start.answer },
    errors: [400, 503],
  }),
  act('answer', 'Answers what it asks; the first answer counts'),
  act('tell', 'Sends a message to one of its agents'),
  act('cancel', 'Ends it for good'),
  act('pause', 'Pauses it'),
  act('resume', 'Resumes it'),
  act('fork', 'Begins a new run as this one was at a step'),
  act('deliver', 'Brings what it changed to the user: again, or elsewhere'),
  act('discard', 'Records that its result is not wanted, and removes the branch and the patch of it'),
  act('archive', 'Hides it from lists and the board'),
  act('rollback', 'Puts it back to a step, or says what that would do'),
];

const WORKFLOWS: readonly RouteSpec[] = [
  get('/api/workflows', 'workflows', {
    summary: 'Workflows that can be run here',
    query: PROJECT.workflows.request,
    answer: { schema: PROJECT.workflows.answer },
  }),
  get('/api/workflows/{name}', 'workflow', {
    summary: 'One of them, by name or file: graph, problems, roles',
    query: PROJECT.workflow.request.omit({ workflow: true }),
    answer: { schema: PROJECT.workflow.answer },
  }),
  post('/api/check', 'check', {
    summary: 'The problems of a workflow file',
    body: PROJECT.check.request,
    answer: { schema: PROJECT.check.answer },
    errors: [400, 404],
  }),
];

export const API: readonly RouteSpec[] = [...HERE, ...BOARD, ...RUN, ...ACTS, ...WORKFLOWS];
