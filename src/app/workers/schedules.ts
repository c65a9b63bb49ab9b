import { relative } from 'node:path';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Json } from '../../core/model/json.ts';
import { scheduledRunId } from '../../host/new-run-id.ts';
import { projectNeed } from '../../host/workers/lanes.ts';
import type { KeptSchedule, Schedules } from '../../host/workers/schedules.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import type { ScheduleLine } from '../../protocol/operations/answers/schedule.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { projectId } from '../../workspace/travel/project-id.ts';
import type { WantedStart } from '../acts/with-order.ts';
import type { Caller } from '../caller.ts';
import { enclosingProject, journalAddress } from '../config/project.ts';
import { refuseOwnCode } from '../runs/send-away.ts';
import { type Asking, prepareSession } from '../runs/session.ts';
import { readyRun, workflowToStart } from '../runs/start-run.ts';
import type { OpenStore } from '../world/store.ts';
import { whyQueued } from './needs.ts';
import { listWorkers } from './run-worker.ts';

export interface WantedSchedule extends Pick<WantedStart, 'input'> {
  readonly name: string;
  readonly cron: string;
  readonly timeZone?: string | undefined;
  readonly workflow: string;
}

/** Everything is checked as if the run began now. SCHEDULE_INVALID, SCHEDULE_EXISTS, JOURNAL_NOT_SHARED, WORKERS_NONE. */
export async function addSchedule(asking: Asking, wanted: WantedSchedule): Promise<ScheduleLine> {
  const { name, cron, workflow, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = wanted;
  const { caller, by, wishes } = asking;
  await sharedAddress(caller);
  const root = enclosingProject(caller.folder);
  if (root === null) throw invalid(`${caller.folder} is in no project.`, 'Make it one with: troupe init');
  await nextTime(cron, timeZone);
  const prepared = await prepareSession(asking, { purpose: 'pass' });
  const found = await workflowToStart(prepared, workflow);
  const input = typeof wanted.input === 'function' ? await wanted.input(found) : wanted.input;
  const { definition } = await readyRun(prepared, { found, input, canAsk: false });
  refuseOwnCode(definition);
  for (const problem of found.warnings) asking.tell(problemText(problem));
  const order = { kind: 'start', workflow, input, ...wishes } as unknown as Order;
  const about = { project: await projectId(root), folder: relative(root, caller.folder), by };
  const added = { name, cron, timeZone, ...about, order: order as unknown as Json };
  const isAdded = await withSchedules(caller, (schedules) => schedules.add(added));
  if (isAdded) return await lineOf({ ...added, waiting: 0, last: null }, []);
  throw new Fault('SCHEDULE_EXISTS', `There is a schedule "${name}" already.`, {
    hint: `Choose another name, or remove that one first: troupe schedule remove ${name}`,
  });
}

/** JOURNAL_NOT_SHARED. */
export async function listSchedules(caller: Caller, store: OpenStore): Promise<readonly ScheduleLine[]> {
  const workers = await listWorkers(store);
  const kept = await withSchedules(caller, (schedules) => schedules.list()).catch(noneWithoutWorkers);
  return await Promise.all(kept.map((schedule) => lineOf(schedule, workers)));
}

/** Runs that it began go on. SCHEDULE_UNKNOWN, JOURNAL_NOT_SHARED. */
export async function removeSchedule(caller: Caller, name: string): Promise<void> {
  if (await withSchedules(caller, (schedules) => schedules.remove(name))) return;
  throw new Fault('SCHEDULE_UNKNOWN', `There is no schedule "${name}".`, { hint: 'See: troupe schedule list' });
}

async function withSchedules<Result>(caller: Caller, work: (schedules: Schedules) => Promise<Result>): Promise<Result> {
  const address = await sharedAddress(caller);
  const { openWorkQueue } = await import('../../host/workers/work-queue.ts');
  const queue = await openWorkQueue({ address });
  try {
    return await work(queue.schedules);
  } finally {
    await queue.close();
  }
}

async function sharedAddress(caller: Caller): Promise<string> {
  const address = await journalAddress(caller);
  if (address !== null) return address;
  throw new Fault('JOURNAL_NOT_SHARED', 'Schedules need a journal that several machines share, and workers.', {
    hint: 'Name one on PostgreSQL with --journal; on one machine, let cron call troupe run.',
  });
}

async function lineOf(
  { name, cron, timeZone, order, project, by, waiting, last }: KeptSchedule,
  workers: Parameters<typeof whyQueued>[1],
): Promise<ScheduleLine> {
  const { workflow } = order as unknown as Extract<Order, { readonly kind: 'start' }>;
  const about = { name, cron, timeZone, workflow, project, by, nextAt: await nextTime(cron, timeZone) };
  return {
    ...about,
    waiting,
    ...(last === null ? {} : { last: { at: last.at, ...whatCame(name, last) } }),
    ...(waiting === 0 ? {} : { queued: whyQueued([projectNeed(project)], workers) }),
  };
}

const whatCame = (name: string, { at, reason }: NonNullable<KeptSchedule['last']>) =>
  reason === null ? { run: scheduledRunId({ name, at }) } : { reason };

/** SCHEDULE_INVALID. */
async function nextTime(cron: string, timeZone: string): Promise<number> {
  const { TimeMatcher, validateCrontab, validateTimezone } =
    await import('@dbos-inc/dbos-sdk/internal/scheduler/crontab');
  try {
    validateTimezone(timeZone);
  } catch {
    throw invalid(`"${timeZone}" is no time zone.`, 'As in: --time-zone Europe/Berlin');
  }
  try {
    validateCrontab(cron);
    return new TimeMatcher(cron, timeZone).nextWakeupTime(Date.now()).getTime();
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw invalid(`"${cron}" names no times: ${why}.`, "As for cron: --cron '0 7 * * 1' is every Monday at 7.");
  }
}

const invalid = (message: string, hint: string): Fault => new Fault('SCHEDULE_INVALID', message, { hint });

function noneWithoutWorkers(error: unknown): readonly KeptSchedule[] {
  if (isFault(error) && error.code === 'WORKERS_NONE') return [];
  throw error;
}
