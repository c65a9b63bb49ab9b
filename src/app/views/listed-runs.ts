import type { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import type { FiredSchedule } from '../../core/model/run-terms.ts';
import type { CostUsd, Usage } from '../../core/model/usage.ts';
import type { WorkTime } from '../../core/fold/work-clock.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { PROJECT } from '../../protocol/operations/project.ts';
import { type QueuedReason, statusWord, type Standing } from '../../protocol/status-word.ts';
import { columnOf } from '../../protocol/web/card-of.ts';
import type { Column } from '../../protocol/web/run-card.ts';
import { withGit } from '../results/with-git.ts';
import { runPicture } from '../runs/run-picture.ts';
import { queuedRun, workersToAsk } from '../workers/queued-run.ts';
import type { OpenStore } from '../world/store.ts';

/** With every default filled in. A null project means the runs of all. */
export type ListOptions = Omit<z.output<typeof PROJECT.list.request>, 'project'> & { readonly project: string | null };

export interface ListedRun extends RunInfo {
  readonly usage: Usage | null;
  readonly costUsd: CostUsd;
  /** How long it worked, waited and stood still; absent where it cannot be read. */
  readonly time?: WorkTime;
  /** Why no worker drives it although it wants to go on. */
  readonly queued?: QueuedReason;
  readonly schedule?: FiredSchedule;
}

export interface RunListPage {
  readonly items: readonly ListedRun[];
  /** The run after which the next page begins; null at the end. */
  readonly next: string | null;
  /** How many were left out since they are of other projects. */
  readonly elsewhere: number;
}

/** The newest runs that a person started, how they stand and what they cost. */
export async function listedRuns(store: OpenStore, request: ListOptions): Promise<RunListPage> {
  const { journal } = store;
  const { project, status, column, after, limit } = request;
  const listed = (await journal.runs({ parent: null })).filter((info) => isListed(info, request));
  const workers = await workersToAsk(store);
  const matching = await withStanding(journal, listed, { ...request, workers });
  const own = matching.filter((info) => project === null || info.project === project);
  const { page, next } = pageOf(own, after, limit);
  const isRead = status !== undefined || column !== undefined;
  const read = isRead ? page : await withStatuses(journal, page);
  const shown = column === undefined ? await withGit(read) : read;
  return {
    items: await Promise.all(
      shown.map(async (info) => ({ ...(await withCost(journal, info)), ...queuedRun(info, workers) })),
    ),
    next,
    elsewhere: matching.length - own.length,
  };
}

/** Whether a run fits the filters that the list can answer; the caller checks the project. */
export function isListed(info: RunInfo, { text = '', workflow, isArchived = false }: Partial<ListOptions>): boolean {
  if (info.isArchived === true && !isArchived) return false;
  if (workflow !== undefined && info.workflow !== workflow) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = listedText(info).toLowerCase();
  return words.every((word) => found.includes(word));
}

export const listedText = ({ title, workflow, run, project }: RunInfo): string =>
  [title, workflow, run, project].join('\n');

export const hasStatus = (run: Standing, status: string | undefined): boolean =>
  status === undefined || run.status === status || statusWord(run) === status;

type ListedWorkers = Awaited<ReturnType<typeof workersToAsk>>;

/** The status of all runs has to be read only where one is asked for, and what git did with their results only for a column. */
async function withStanding(
  journal: Journal,
  runs: readonly RunInfo[],
  { status, column, workers }: Pick<ListOptions, 'status' | 'column'> & { readonly workers: ListedWorkers },
): Promise<readonly RunInfo[]> {
  if (status === undefined && column === undefined) return runs;
  const standing = (await withStatuses(journal, runs)).filter((info) =>
    hasStatus({ ...info, ...queuedRun(info, workers) }, status),
  );
  if (column === undefined) return standing;
  const read = await withGit(standing);
  const columnNow = (info: RunInfo): Column =>
    columnOf({ info: { ...info, ...queuedRun(info, workers) }, below: [], details: null, damage: null });
  return read.filter((info) => column === columnNow(info));
}

/** One page of a list; `next` is null at its end. RUN_UNKNOWN. */
export function pageOf<Run extends Pick<RunInfo, 'run'>>(
  runs: readonly Run[],
  after: string | undefined,
  limit: number,
) {
  const from = after === undefined ? 0 : runs.findIndex(({ run }) => run === after) + 1;
  if (after !== undefined && from === 0)
    throw new Fault('RUN_UNKNOWN', `There is no run "${after}" in this list.`, {
      hint: 'Give the `next` of the page before, with the same filters.',
    });
  const page = runs.slice(from, from + limit);
  return { page, from, next: from + limit < runs.length ? (page.at(-1)?.run ?? null) : null };
}

/** As `show` has it: a run below that asks or reached a limit counts as well. A damaged run keeps what is noted of it. */
async function withStatuses(journal: Journal, runs: readonly RunInfo[]): Promise<readonly RunInfo[]> {
  return await Promise.all(
    runs.map(async (info) => {
      if (info.status === 'settled') return info;
      const picture = await runPicture(journal, info.run, null).catch(() => null);
      return picture === null ? info : { ...info, status: picture.status };
    }),
  );
}

/** One damaged run must not hide the others: its cost is then unknown. */
async function withCost(journal: Journal, info: RunInfo): Promise<ListedRun> {
  try {
    const { usage, costUsd, time, schedule } = await runPicture(journal, info.run, null);
    return { ...info, usage, costUsd, time, ...(schedule === undefined ? {} : { schedule }) };
  } catch {
    return { ...info, usage: null, costUsd: null };
  }
}
