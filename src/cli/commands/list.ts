import { Fault } from '../../core/fault.ts';
import { ageText, costText } from '../../core/amount-text.ts';
import type { Usage, CostUsd } from '../../core/usage.ts';
import type { WorkTime } from '../../core/work-clock.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { withGit } from '../../app/results/with-git.ts';
import { countOption, flag, textOption } from '../invocation.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { withStore } from '../../app/world/store.ts';
import { tokens } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { statusText, statusWord } from '../../protocol/status-word.ts';
import { printNote } from '../terminal/terminal.ts';
import { table } from '../terminal/table.ts';

interface ListedRun extends RunInfo {
  readonly usage: Usage | null;
  readonly costUsd: CostUsd;
  /** How long it worked, waited and stood still; absent where it cannot be read. */
  readonly time?: WorkTime;
}

const DEFAULT_LIMIT = 20;

/** `troupe list`: the newest runs, what they are about, how they stand and what they cost. */
export async function listCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { runs, elsewhere, next } = await withStore(terminal, async ({ journal }) => {
    const all = await journal.runs({ parent: null });
    // That of all runs has to be known only where one is asked for.
    const isAsked = textOption(invocation, 'status') !== undefined;
    const wanted = choose(isAsked ? await withStatuses(journal, all) : all, invocation);
    const shown = await withGit(isAsked ? wanted.runs : await withStatuses(journal, wanted.runs));
    return { ...wanted, runs: await Promise.all(shown.map((info) => withCost(journal, info))) };
  });
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify({ kind: 'runs', items: runs, next })}\n`);
    return EXIT.ok;
  }
  if (runs.length > 0) terminal.stdout.write(`${listText(runs, terminal.stdout.columns || 120)}\n`);
  else printNote(terminal, emptyText(invocation));
  if (elsewhere > 0) printNote(terminal, elsewhereText(elsewhere));
  return EXIT.ok;
}

/** Inside a project its own runs, anywhere else all of them. */
function choose(all: readonly RunInfo[], invocation: Invocation): Chosen {
  const status = textOption(invocation, 'status');
  const project = flag(invocation, 'all') ? null : enclosingProject(invocation.terminal.folder);
  const listed = flag(invocation, 'archived') ? all : all.filter(({ isArchived }) => isArchived !== true);
  const matching = listed.filter((run) => status === undefined || run.status === status || statusWord(run) === status);
  const own = matching.filter((run) => project === null || run.project === project);
  const from = startOf(own, textOption(invocation, 'after'));
  const end = from + (countOption(invocation, 'limit', 0) ?? DEFAULT_LIMIT);
  const runs = own.slice(from, end);
  return { runs, elsewhere: matching.length - own.length, next: end < own.length ? (runs.at(-1)?.run ?? null) : null };
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

interface Chosen {
  readonly runs: readonly RunInfo[];
  /** The run after which the next page begins; null at the end. */
  readonly next: string | null;
  /** How many were left out since they are of other projects. */
  readonly elsewhere: number;
}

const emptyText = (invocation: Invocation): string =>
  textOption(invocation, 'status') === undefined
    ? 'No runs yet. Start one with: troupe run WORKFLOW "…"'
    : 'No such runs.';

const elsewhereText = (count: number): string =>
  count === 1 ? '1 run of another project; --all shows it' : `${count} runs of other projects; --all shows them`;

/** As `show` tells it: a run below that asks or met a limit counts, too. A damaged run keeps what is noted of it. */
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

function listText(runs: readonly ListedRun[], width: number): string {
  const head = ['RUN', 'STATUS', 'WORKFLOW', 'COST', 'AGE', 'ABOUT'];
  const now = Date.now();
  const rows = runs.map((run) => [
    run.run,
    statusText(run),
    oneLine(run.workflow, 30),
    run.usage === null ? 'unreadable' : run.costUsd === null ? tokens(run.usage) : costText(run.costUsd),
    ageText(now - run.at),
    oneLine(run.title, 200),
  ]);
  return table([head, ...rows], width);
}
