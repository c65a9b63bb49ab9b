import { isRunBelow } from '../../../src/core/fold/open-children.ts';
import { chargeOf } from '../../../src/core/record/charge.ts';
import type { JournalRecord } from '../../../src/core/record/fact.ts';
import type { ResolvedWork, TaskEnded, TaskStarted } from '../../../src/core/record/task-fact.ts';
import type { FilesChanged } from '../../../src/core/record/files-fact.ts';
import type { Json } from '../../../src/core/model/json.ts';
import type { Failure, Outcome } from '../../../src/core/model/outcome.ts';
import { addCost, type CostUsd } from '../../../src/core/model/usage.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import type { RunNode } from '../../model/run-tree.ts';

/** One piece of work of a step: what was ordered, and what came of it. */
export interface StepWork {
  readonly task: string;
  readonly kind: ResolvedWork['kind'];
  /** The agent, where one does it; else the unit of a pool; else null. */
  readonly who: string | null;
  readonly isAgent: boolean;
  /** The run below that does it: a called workflow, or a turn apart; null where this run does it itself. */
  readonly child: string | null;
  readonly given: Json;
  /** Null until it has ended. */
  readonly ended: { readonly outcome: Outcome; readonly output: Json; readonly failure: Failure | null } | null;
  readonly costUsd: CostUsd;
  readonly tokens: number;
  /** Model calls of this run, each attempt of one included. */
  readonly calls: number;
  readonly tools: number;
  /** Workspaces that it changed. */
  readonly workspaces: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** The work of a visit and of the units of its pool, in the order of their start. */
export function stepWorks(run: RunNode, visit: Visit): readonly StepWork[] {
  const { lines, count } = run;
  const known = FOLDS.get(lines);
  // Records that come are folded on; another visit, or a look at an older version of the run, begins again.
  const fold =
    known === undefined || known.seq !== visit.seq || known.count > count
      ? { seq: visit.seq, count: visit.seq - 1, works: new Map<string, StepWork>() }
      : known;
  const wanted = new Set(visit.tasks);
  for (const { record } of lines.slice(fold.count, count)) take(fold.works, record, { run, wanted });
  fold.count = count;
  FOLDS.set(lines, fold);
  return [...fold.works.values()].filter(({ kind }) => kind !== 'pool');
}

interface WorkFold {
  readonly seq: number;
  count: number;
  readonly works: Map<string, StepWork>;
}

/** The step that is looked at, by the lines of its run. */
const FOLDS = new WeakMap<RunNode['lines'], WorkFold>();

interface Wanted {
  readonly run: RunNode;
  readonly wanted: ReadonlySet<string>;
}

function take(works: Map<string, StepWork>, { fact, at }: JournalRecord, { run, wanted }: Wanted): void {
  if (fact.kind === 'task.started' && wanted.has(fact.task)) works.set(fact.task, begun(fact, { run: run.run, at }));
  const task = 'task' in fact && typeof fact.task === 'string' ? fact.task : null;
  const known = task === null ? undefined : works.get(task);
  if (task === null || known === undefined) return;
  const spent = chargeOf(fact);
  const paid =
    spent === null
      ? known
      : {
          ...known,
          costUsd: addCost(known.costUsd, spent.costUsd),
          tokens: known.tokens + spent.usage.inputTokens + spent.usage.outputTokens,
        };
  works.set(task, { ...paid, ...changeOf(paid, fact, at) });
}

function changeOf(work: StepWork, fact: JournalRecord['fact'], at: number): Partial<StepWork> {
  switch (fact.kind) {
    case 'call.started':
    case 'call.retried':
      return { calls: work.calls + 1 };
    case 'tool.finished':
      return { tools: work.tools + 1 };
    case 'files.changed':
      return { workspaces: withWorkspace(work.workspaces, fact) };
    case 'task.ended':
      return { ended: endOf(fact), endedAt: at };
    default:
      return {};
  }
}

const endOf = ({ outcome, output, failure }: TaskEnded): StepWork['ended'] => ({ outcome, output, failure });

const withWorkspace = (known: readonly string[], { workspace }: FilesChanged): readonly string[] =>
  known.includes(workspace) ? known : [...known, workspace];

function begun(
  { task, work, unit }: TaskStarted,
  { run, at }: { readonly run: string; readonly at: number },
): StepWork {
  const agent = 'agent' in work && typeof work.agent === 'string' ? work.agent : null;
  return {
    task,
    kind: work.kind,
    who: agent ?? unit,
    isAgent: agent !== null,
    child: isRunBelow(work) ? `${run}/${task}` : null,
    given: givenTo(work),
    ended: null,
    costUsd: 0,
    tokens: 0,
    // The first call is announced with the turn itself.
    calls: work.kind === 'turn' && !isRunBelow(work) ? 1 : 0,
    tools: 0,
    workspaces: [],
    startedAt: at,
    endedAt: null,
  };
}

/** What the work was ordered with, as the journal holds it. */
function givenTo(work: ResolvedWork): Json {
  const given = GIVEN[work.kind] as (work: ResolvedWork) => Json;
  return given(work);
}

type Given = { readonly [Kind in ResolvedWork['kind']]: (work: Extract<ResolvedWork, { kind: Kind }>) => Json };

const GIVEN: Given = {
  turn: ({ input, opening }) => input ?? opening ?? null,
  tell: ({ input }) => input,
  clear: () => null,
  command: ({ command }) => command,
  call: ({ workflow, input }) => ({ workflow, ...input }),
  ask: ({ question }) => question,
  wait: ({ until }) => `until ${new Date(until).toISOString()}`,
  merge: ({ unit, agent, verify = [] }) => ({ from: unit ?? agent, verify }),
  compute: ({ program, input }) => ({ program, input }),
  pool: () => null,
};
