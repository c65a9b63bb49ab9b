import type { Context, Hono } from 'hono';
import { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import { searchRuns } from '../../app/views/search-runs.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { streamRequestSchema } from '../../protocol/web/stream.ts';
import type { SearchPage } from '../../protocol/web/search-page.ts';
import type { TreePage } from '../../protocol/web/tree-page.ts';
import type { Operations } from '../operations.ts';
import { QUERIES } from '../http/api-table.ts';
import type { Visitor } from '../http/door.ts';
import { bodyOf, queryOf, runOf } from '../http/request-parts.ts';
import { Turnstile } from '../../lib/in-turn.ts';
import { StreamPlaces } from '../http/stream-places.ts';
import { eventResponse, type EventOptions } from './event-response.ts';
import { inboxOf } from './inbox-of.ts';
import { listRuns } from './list-runs.ts';
import { LiveDesk } from './live-desk.ts';
import { PAGE, readTexts } from './read-texts.ts';
import { RecordFeed } from './record-feed.ts';
import { TreeFeed } from './tree-feed.ts';

export interface LiveOptions extends EventOptions {
  readonly mostStreams?: number;
  /** How long a search may take. */
  readonly searchMs?: number;
}

export type LiveOperations = Pick<Operations, 'home' | 'journal'>;

/** Routes for live data: the board, records, streams, search, and the inbox. */
export function addLiveRoutes(app: Hono, operations: LiveOperations, events: LiveOptions = {}): void {
  const desk = new LiveDesk(operations);
  const within = events.searchMs === undefined ? {} : { withinMs: events.searchMs };
  const searches = new Turnstile(1);
  const places = new StreamPlaces(events.mostStreams);
  // The list is read again only now and then: what somebody did to a run that is over shows at once.
  app.use('/api/runs/:run/*', async (context, next) => {
    await next();
    if (context.req.method === 'POST') await desk.index.look([runId(context.req.param('run'))]);
  });
  app.get('/api/runs', async (context) => context.json(await listRuns(desk, queryOf(context, PROJECT.list.request))));
  app.get('/api/runs/:run/tree', async (context) => context.json(await treeOf(context, desk, operations)));
  app.get('/api/runs/:run/records', (context) => recordPage(context, operations));
  app.get('/api/runs/:run/records/:seq', (context) => wholeRecord(context, operations));
  app.get('/api/runs/:run/events', async (context) => {
    const after = lastSeen(context);
    const { run, seq } = await runOf(context, operations);
    places.take(context);
    return eventResponse(() => new RecordFeed(desk, { run, seq, after }), endingWith(context, events));
  });
  app.post('/api/stream', async (context) => {
    const request = await bodyOf(context, streamRequestSchema);
    await desk.index.survey();
    // What the page has read of them may be newer than the list.
    await desk.index.look(Object.keys(request.after).map(runId));
    places.take(context);
    return eventResponse(() => new TreeFeed(desk, request), endingWith(context, events));
  });
  app.get('/api/search', async (context) => {
    const request = queryOf(context, PROJECT.search.request);
    const { signal } = context.req.raw;
    return context.json(await searches.pass(() => search(desk, request, { signal, ...within }), signal));
  });
  app.get('/api/questions', async (context) => context.json(await inboxOf(desk)));
}

/** A stream ends with the token it was opened with. */
function endingWith(context: Context, events: EventOptions): EventOptions {
  const visitor: Visitor | undefined = context.get('visitor');
  return visitor?.ended == null ? events : { ...events, ended: visitor.ended };
}

async function search(
  { journal, index }: LiveDesk,
  request: Parameters<typeof searchRuns>[1],
  options: Parameters<typeof searchRuns>[2],
): Promise<SearchPage> {
  await index.survey();
  return await searchRuns({ journal, roots: () => index.roots(), tree: (run) => index.tree(run) }, request, options);
}

async function treeOf(context: Context, { index }: LiveDesk, operations: LiveOperations): Promise<TreePage> {
  const { run } = await runOf(context, operations);
  await index.survey();
  // A survey seldom reads runs that are over.
  await index.look([run]);
  const runs = index.tree(run).map(({ run: one, parent, workflow, seq, status }) => ({
    run: one,
    parent,
    workflow,
    seq,
    status,
  }));
  return { runs };
}

/** A `RecordPage`, put together of records that are text already. */
async function recordPage(context: Context, operations: LiveOperations): Promise<Response> {
  const { after, limit } = queryOf(context, QUERIES.records);
  const { run, seq } = await runOf(context, operations);
  const texts = await readTexts(operations.journal, { run, after }, { ...PAGE, records: limit });
  const reached = texts.at(-1)?.seq ?? 0;
  // More may have come between; what somebody believes to know is none of it.
  const newest = Math.max(seq, reached);
  const records = texts.map(({ text }) => text).join(',');
  const rest = JSON.stringify({ seq: newest, after: reached < newest && texts.length > 0 ? reached : null });
  return context.body(`{"run":${JSON.stringify(run)},"records":[${records}],${rest.slice(1)}`, 200, {
    'Content-Type': 'application/json; charset=utf-8',
  });
}

async function wholeRecord(context: Context, operations: LiveOperations): Promise<Response> {
  const { run } = await runOf(context, operations);
  const name = context.req.param('seq') ?? '';
  const seq = /^[1-9]\d{0,15}$/.test(name) ? Number(name) : null;
  const [record] = seq === null ? [] : await operations.journal.read(run, seq - 1, 1);
  if (record === undefined) throw new Fault('RECORD_UNKNOWN', `${run} has no record ${name}.`);
  return context.json({ run, record });
}

/** A browser that comes back says itself how far it has come. */
function lastSeen(context: Context): number {
  const { after } = queryOf(context, QUERIES.events);
  const last = context.req.header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : after;
}
