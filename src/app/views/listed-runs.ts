import { Fault } from '../../core/fault.ts';
import type { CostUsd, Usage } from '../../core/usage.ts';
import type { WorkTime } from '../../core/work-clock.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { statusWord } from '../../protocol/status-word.ts';
import { withGit } from '../results/with-git.ts';
import { runPicture } from '../runs/run-picture.ts';

export interface RunListRequest {
  /** Only runs of this project; null for those of all. */
  readonly project: string | null;
  readonly status?: string | undefined;
  /** Archived runs as well. */
  readonly isArchived?: boolean | undefined;
  /** The run after which the page begins: the `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListedRun extends RunInfo {
  readonly usage: Usage | null;
  readonly costUsd: CostUsd;
  /** How long it worked, waited and stood still; absent where it cannot be read. */
  readonly time?: WorkTime;
}

export interface RunListPage {
  readonly items: readonly ListedRun[];
  /** The run after which the next page begins; null at the end. */
  readonly next: string | null;
  /** How many were left out since they are of other projects. */
  readonly elsewhere: number;
}

const DEFAULT_LIMIT = 20;

/** The newest runs that a person started, how they stand and what they cost. */
export async function listedRuns(journal: Journal, request: RunListRequest): Promise<RunListPage> {
  const all = await journal.runs({ parent: null });
  // The status of all runs has to be known only where one is asked for.
  const isAsked = request.status !== undefined;
  const { runs, ...page } = chosenRuns(isAsked ? await withStatuses(journal, all) : all, request);
  const shown = await withGit(isAsked ? runs : await withStatuses(journal, runs));
  return { items: await Promise.all(shown.map((info) => withCost(journal, info))), ...page };
}

function chosenRuns(all: readonly RunInfo[], request: RunListRequest) {
  const { project, status, isArchived = false, after, limit = DEFAULT_LIMIT } = request;
  const listed = isArchived ? all : all.filter((run) => run.isArchived !== true);
  const matching = listed.filter((run) => status === undefined || run.status === status || statusWord(run) === status);
  const own = matching.filter((run) => project === null || run.project === project);
  const from = startOf(own, after);
  const runs = own.slice(from, from + limit);
  const next = from + limit < own.length ? (runs.at(-1)?.run ?? null) : null;
  return { runs, next, elsewhere: matching.length - own.length };
}

/** RUN_UNKNOWN. */
function startOf(runs: readonly RunInfo[], after: string | undefined): number {
  if (after === undefined) return 0;
  const found = runs.findIndex(({ run }) => run === after);
  if (found >= 0) return found + 1;
  throw new Fault('RUN_UNKNOWN', `There is no run "${after}" in this list.`, {
    hint: 'Give the `next` of the page before, with the same filters.',
  });
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
    const { usage, costUsd, time } = await runPicture(journal, info.run, null);
    return { ...info, usage, costUsd, time };
  } catch {
    return { ...info, usage: null, costUsd: null };
  }
}
