import { z } from 'zod';
import { graphQuery } from '../graph/graph-queries.ts';
import { DEEDS, ORDERS } from '../../protocol/operations/acts.ts';
import { ACT_BODIES } from './act-routes.ts';
import { streamRequestSchema } from '../../protocol/web/stream.ts';
import * as live from '../live/live-queries.ts';
import * as looks from './look-queries.ts';
import { VIEWS } from '../../protocol/operations/views.ts';
import { listOf } from '../../protocol/operations/parts.ts';
import { checkedSourceSchema, checkSourceSchema, definitionSchema } from '../../protocol/web/workflow-page.ts';
import { WIRE } from './named-schemas.ts';

/** A route as it is described to others. `test/web/server/openapi.test.ts` holds this table to what is mounted. */
export interface RouteSpec {
  readonly method: 'get' | 'post';
  /** As OpenAPI writes it: `/api/runs/{run}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: RouteAnswer;
  /** Errors it may give besides 401 and 403. */
  readonly errors?: readonly number[];
}

export type RouteAnswer =
  | { readonly schema: z.ZodType }
  /** Each event holds one. */
  | { readonly events: z.ZodType }
  | { readonly bytes: true };

const text = z.string();

const HERE: readonly RouteSpec[] = [
  {
    method: 'post',
    path: '/api/session',
    summary: 'Takes the token (Authorization: Bearer) and gives a cookie',
    answer: { schema: z.object({ ok: z.literal(true) }) },
  },
  {
    method: 'get',
    path: '/api/about',
    summary: 'Which Troupe this is, and where',
    answer: { schema: z.object({ version: text, project: text, home: text }) },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    answer: { schema: z.looseObject({ openapi: text }) },
  },
];

const BOARD: readonly RouteSpec[] = [
  {
    method: 'get',
    path: '/api/runs',
    summary: 'Runs, newest first',
    query: live.runsQuery,
    answer: { schema: WIRE.RunPage },
  },
  { method: 'get', path: '/api/questions', summary: 'What any run asks a person', answer: { schema: WIRE.InboxPage } },
  {
    method: 'get',
    path: '/api/search',
    summary: 'Search in the records of a run, or over runs',
    query: live.searchQuery,
    answer: { schema: WIRE.SearchPage },
    errors: [404],
  },
  {
    method: 'post',
    path: '/api/stream',
    summary: 'What happens, as it happens, in all runs that were named and those below them',
    body: streamRequestSchema,
    answer: { events: WIRE.StreamBatch },
    errors: [503],
  },
];

const RUN: readonly RouteSpec[] = [
  { method: 'get', path: '/api/runs/{run}', summary: 'Where a run stands', answer: { schema: WIRE.RunView } },
  {
    method: 'get',
    path: '/api/runs/{run}/tree',
    summary: 'The run and those below it',
    answer: { schema: WIRE.TreePage },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/definition',
    summary: 'What it follows: workflow, roles, library',
    answer: { schema: definitionSchema },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/records',
    summary: 'Its records, oldest first; long texts are cut',
    query: live.recordsQuery,
    answer: { schema: WIRE.RecordPage },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/records/{seq}',
    summary: 'One record, whole',
    answer: { schema: WIRE.RecordLine },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/events',
    summary:
      'Its records as server-sent events: those there are, then those that come. The id is the number of the record',
    query: live.eventsQuery,
    answer: { events: WIRE.RecordLine },
    errors: [503],
  },
  {
    method: 'get',
    path: '/api/runs/{run}/graph',
    summary: 'Its workflow, laid out',
    query: graphQuery,
    answer: { schema: WIRE.GraphView },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/questions',
    summary: 'What it asks',
    answer: { schema: listOf('questions', WIRE.Question).extend({ run: text }) },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/debate',
    summary: 'Findings and positions',
    answer: { schema: VIEWS.debate.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/compare',
    summary: 'Implementations side by side',
    query: looks.compareQuery,
    answer: { schema: VIEWS.compare.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/messages',
    summary: 'What agents told each other',
    answer: { schema: VIEWS.messages.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/requests',
    summary: 'Every request to a model or a client as it left',
    query: looks.requestsQuery,
    answer: { schema: VIEWS.requests.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/metrics',
    summary: 'How long, how often, for how much',
    answer: { schema: VIEWS.metrics.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/artifacts',
    summary: 'What its agents made',
    query: looks.artifactsQuery,
    answer: { schema: VIEWS.artifacts.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/artifacts/{id}',
    summary: 'The content of one, as it was recorded',
    query: looks.contentQuery,
    answer: { bytes: true },
    errors: [413],
  },
  {
    method: 'get',
    path: '/api/runs/{run}/changes',
    summary: 'What it changed, as a patch',
    query: looks.changesQuery,
    answer: { schema: VIEWS.changes.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/branches',
    summary: 'Branches of its project that its changes can be compared with',
    answer: { schema: VIEWS.branches.answer },
  },
  {
    method: 'get',
    path: '/api/runs/{run}/file',
    summary: 'A file of one of its workspaces',
    query: looks.fileQuery,
    answer: { bytes: true },
    errors: [413],
  },
  {
    method: 'get',
    path: '/api/runs/{run}/logs',
    summary: 'What agents that are programs said, word for word',
    query: looks.logsQuery,
    answer: { schema: VIEWS.rawLogs.answer },
  },
];

const act = (name: Exclude<keyof typeof ACT_BODIES, 'start'>, summary: string): RouteSpec => ({
  method: 'post',
  path: `/api/runs/{run}/${name}`,
  summary,
  body: ACT_BODIES[name],
  answer: { schema: { ...ORDERS, ...DEEDS }[name].answer },
  errors: [400, 409, 503],
});

const ACTS: readonly RouteSpec[] = [
  {
    method: 'post',
    path: '/api/runs',
    summary: 'Starts a run; it outlives the server',
    body: ACT_BODIES.start,
    answer: { schema: ORDERS.start.answer },
    errors: [400, 503],
  },
  act('answer', 'Answers what it asks; the first answer counts'),
  act('tell', 'Tells one of its agents something'),
  act('cancel', 'Ends it for good'),
  act('pause', 'Lets it stand still'),
  act('resume', 'Lets it go on'),
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
    summary: 'What can be run here',
    answer: { schema: listOf('workflows', WIRE.WorkflowLine) },
  },
  {
    method: 'get',
    path: '/api/workflows/{name}',
    summary: 'One of them, by name or file: graph, problems, roles',
    query: graphQuery,
    answer: { schema: WIRE.WorkflowPage },
  },
  {
    method: 'post',
    path: '/api/check',
    summary: 'The problems of a workflow file',
    body: checkSourceSchema,
    answer: { schema: checkedSourceSchema },
    errors: [400, 404],
  },
];

export const API: readonly RouteSpec[] = [...HERE, ...BOARD, ...RUN, ...ACTS, ...WORKFLOWS];
