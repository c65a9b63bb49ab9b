import { foldRecords } from '../../core/fold.ts';
import type { Usage, CostUsd } from '../../core/usage.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { countOption, flag, textOption } from '../invocation.ts';
import { withStore } from '../session/store.ts';
import { age, money, tokens } from '../terminal/amounts.ts';
import { oneLine } from '../terminal/plain-text.ts';
import { table } from '../terminal/table.ts';

interface ListedRun extends RunInfo {
  readonly usage: Usage | null;
  readonly costUsd: CostUsd;
}

const DEFAULT_LIMIT = 20;

/** `troupe list`: the newest runs, what they are about, how they stand and what they cost. */
export async function listCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { runs, elsewhere } = await withStore(terminal, async ({ journal }) => {
    const wanted = choose(await journal.runs({ parent: null }), invocation);
    return { ...wanted, runs: await Promise.all(wanted.runs.map((info) => withCost(journal, info))) };
  });
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify(runs)}\n`);
    return EXIT.ok;
  }
  if (runs.length > 0) terminal.stdout.write(`${listText(runs, terminal.stdout.columns || 120)}\n`);
  else terminal.stderr.write(`${emptyText(invocation)}\n`);
  if (elsewhere > 0) terminal.stderr.write(`${elsewhereText(elsewhere)}\n`);
  return EXIT.ok;
}

/** Inside a project its own runs, anywhere else all of them. */
function choose(all: readonly RunInfo[], invocation: Invocation): Chosen {
  const status = textOption(invocation, 'status');
  const project = flag(invocation, 'all') ? null : enclosingProject(invocation.terminal.folder);
  const matching = all.filter((run) => status === undefined || run.status === status || statusText(run) === status);
  const own = matching.filter((run) => project === null || run.project === project);
  return {
    runs: own.slice(0, countOption(invocation, 'limit', 0) ?? DEFAULT_LIMIT),
    elsewhere: matching.length - own.length,
  };
}

interface Chosen {
  readonly runs: readonly RunInfo[];
  /** How many were left out since they are of other projects. */
  readonly elsewhere: number;
}

const emptyText = (invocation: Invocation): string =>
  textOption(invocation, 'status') === undefined
    ? 'No runs yet. Start one with: troupe run WORKFLOW "…"'
    : 'No such runs.';

const elsewhereText = (count: number): string =>
  count === 1 ? '1 run of another project; --all shows it' : `${count} runs of other projects; --all shows them`;

/** One damaged run must not hide the others: its cost is then unknown. */
async function withCost(journal: Journal, info: RunInfo): Promise<ListedRun> {
  try {
    const { usage, costUsd } = foldRecords(await journal.read(info.run));
    return { ...info, usage, costUsd };
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
    run.usage === null ? 'unreadable' : run.costUsd === null ? tokens(run.usage) : money(run.costUsd),
    age(now - run.at),
    oneLine(run.title, 200),
  ]);
  return table([head, ...rows], width);
}

/** `running` only while a process drives it; else it stopped, and can be resumed. */
function statusText(run: RunInfo): string {
  if (run.status === 'settled') return run.outcome ?? 'settled';
  return run.status === 'running' && !run.driven ? 'stopped' : run.status;
}
