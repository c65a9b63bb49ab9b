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

const HERE: readonly RouteSpec[] = [
  {
    method: 'post',
    path: '/api/session',
    summary: 'Takes the token (Authorization: Bearer) and gives a cookie',
    operation: 'list',
    answer: { schema: z.object({ ok: z.literal(true) }) },
  },
  {
    method: 'post',
    path: '/api/session/end',
    summary: 'Ends the session of the cookie',
    operation: 'list',
    answer: { schema: z.object({ ok: z.literal(true) }) },
  },
  {
    method: 'get',
    path: '/api/about',
    summary: 'Which Troupe this is, where, and who asks',
    operation: 'list',
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
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    operation: 'list',
    answer: { schema: z.looseObject({ openapi: text }) },
  },
];

const BOARD: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/api/runs',
    summary: 'Runs, newest first',
    operation: 'list',
    query: PROJECT.list.request,
    answer: { schema: WIRE.RunPage },
  },
  {
    method: 'get',
    path: '/api/questions',
    summary: 'Questions of all runs to a person',
    operation: 'list',
    answer: { schema: WIRE.InboxPage },
  },
  {
    method: 'get',
    path: '/api/workers',
    summary: 'Who drives the runs of a journal that machines share; none where this machine is alone',
    operation: 'workers',
    query: PROJECT.workers.request,
    answer: { schema: PROJECT.workers.answer },
  },
  {
    method: 'get',
    path: '/api/schedules',
    summary: 'When runs begin by themselves, and what became of the last ones',
    operation: 'schedules',
    query: PROJECT.schedules.request,
    answer: { schema: PROJECT.schedules.answer },
  },
  {
    method: 'post',
    path: '/api/schedules/{name}/remove',
    summary: 'Ends a schedule; runs that it began go on',
    operation: 'scheduleRemove',
    body: PROJECT.scheduleRemove.request.omit({ name: true }),
    answer: { schema: PROJECT.scheduleRemove.answer },
    errors: [400, 404],
  },
  {
    method: 'get',
    path: '/api/search',
    summary: 'Search in the records of a run, or over runs',
    operation: 'search',
    query: PROJECT.search.request,
    answer: { schema: WIRE.SearchPage },
    errors: [404],
  },
  {
    method: 'post',
    path: '/api/stream',
    summary: 'Events of the named runs and their child runs, as they happen',
    operation: 'list',
    body: streamRequestSchema,
    answer: { events: WIRE.StreamBatch },
    errors: [503],
  },
];

const view = (kind: Exclude<View['kind'], 'artifact'>, path: string, summary: string): RouteSpec => ({
  method: 'get',
  path: `/api/runs/{run}${path}`,
  summary,
  operation: kind,
  view: kind,
  query: (VIEWS[kind].request as z.ZodObject).omit({ run: true }),
  answer: { schema: VIEWS[kind].answer },
});

const RUN: readonly RouteSpec[] = [
  view('show', '', 'The status of a run'),
  {
    method: 'get',
    path: '/api/runs/{run}/tree',
    summary: 'The run and those below it',
    operation: 'show',
    answer: { schema: WIRE.TreePage },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/definition',
    summary: 'Its definition: workflow, roles, library',
    operation: 'show',
    answer: { schema: definitionSchema },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/records',
    summary: 'Its records, oldest first; long texts are cut',
    operation: 'show',
    query: QUERIES.records,
    answer: { schema: WIRE.RecordPage },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/records/{seq}',
    summary: 'One record, whole',
    operation: 'show',
    answer: { schema: WIRE.RecordLine },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/events',
    summary:
      'Its records as server-sent events: those there are, then those that come. The id is the number of the record',
    operation: 'show',
    query: QUERIES.events,
    answer: { events: WIRE.RecordLine },
    errors: [503],
  },
  {
    method: 'get',
    path: '/api/runs/{run}/graph',
    summary: 'Its workflow, laid out',
    operation: 'runGraph',
    query: PROJECT.runGraph.request.omit({ run: true }),
    answer: { schema: PROJECT.runGraph.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/questions',
    summary: 'Its questions',
    operation: 'show',
    answer: { schema: listAnswer('questions', WIRE.Question).extend({ run: text }) },
  },
  ...FAMILY_NAMES.map((name) => view(name, `/${name}`, FAMILY_VIEWS[name].summary)),
  view('messages', '/messages', 'Messages between its agents'),
  view('requests', '/requests', 'Every request to a model or a client as it left'),
  view('metrics', '/metrics', 'How long, how often, for how much'),
  view('artifacts', '/artifacts', 'Its artifacts'),
  {
    method: 'get',
    path: '/api/runs/{run}/artifacts/{id}',
    summary: 'The content of one, as it was recorded',
    operation: 'artifact',
    query: QUERIES.content,
    answer: { bytes: true },
    errors: [413],
  },
  view('changes', '/changes', 'Its changes, as a patch'),
  view('branches', '/branches', 'Branches of its project that its changes can be compared with'),
  {
    method: 'get',
    path: '/api/runs/{run}/file',
    summary: 'A file of one of its workspaces',
    operation: 'changes',
    query: QUERIES.file,
    answer: { bytes: true },
    errors: [413],
  },
  view('rawLogs', '/logs', 'The raw output of agents that are programs'),
];

const act = (name: Exclude<keyof typeof ACT_BODIES, 'start'>, summary: string): RouteSpec => ({
  method: 'post',
  path: `/api/runs/{run}/${name}`,
  summary,
  operation: name,
  body: ACT_BODIES[name],
  answer: { schema: { ...ORDERS, ...IMMEDIATE_ACTS }[name].answer },
  errors: [400, 409, 503],
});

const ACTS: readonly RouteSpec[] = [
  {
    method: 'post',
    path: '/api/runs',
    summary: 'Starts a run; it outlives the server',
    operation: 'start',
    body: ACT_BODIES.start,
    answer: { schema: ORDERS.start.answer },
    errors: [400, 503],
  },
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
  {
    method: 'get',
    path: '/api/workflows',
    summary: 'Workflows that can be run here',
    operation: 'workflows',
    query: PROJECT.workflows.request,
    answer: { schema: PROJECT.workflows.answer },
  },
  {
    method: 'get',
    path: '/api/workflows/{name}',
    summary: 'One of them, by name or file: graph, problems, roles',
    operation: 'workflow',
    query: PROJECT.workflow.request.omit({ workflow: true }),
    answer: { schema: PROJECT.workflow.answer },
  },
  {
    method: 'post',
    path: '/api/check',
    summary: 'The problems of a workflow file',
    operation: 'check',
    body: PROJECT.check.request,
    answer: { schema: PROJECT.check.answer },
    errors: [400, 404],
  },
];

export const API: readonly RouteSpec[] = [...HERE, ...BOARD, ...RUN, ...ACTS, ...WORKFLOWS];
