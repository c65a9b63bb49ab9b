import type { OwnCharge } from '../../core/record/charge.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { runTime, timeNow, type Sight } from '../../core/fold/work-clock.ts';
import { Spending, type SpendingSums } from './counters.ts';
import { RunCounter } from './count-run.ts';
import type { RunFigures } from './metrics-view.ts';
import { Tally, type PhaseName, type TallySums } from './tally.ts';

export interface CountedRecord {
  readonly run: string;
  readonly record: JournalRecord;
  readonly isInherited: boolean;
}

/** The counted tree of one run, as plain JSON: figures of many runs are sums of these. */
export interface TreeFigures {
  readonly life: Pick<
    RunFigures,
    'workflow' | 'outcome' | 'startedAt' | 'endedAt' | 'durationMs' | 'waitedMs' | 'pausedMs'
  >;
  readonly spending: SpendingSums;
  readonly tally: TallySums;
}

/**
 * One pass over the records of a run and of all below it, runs above before those below. Once the run has ended, the figures
 * depend on the records alone.
 */
export function countTree(root: string, records: readonly CountedRecord[], sight: Omit<Sight, 'lastAt'>): TreeFigures {
  const tally = new Tally();
  const spending = new Spending();
  const counters = new Map<string, RunCounter>();
  for (const { run, record, isInherited } of records) {
    const cut = run.lastIndexOf('/');
    const within = (): string | null => counters.get(run.slice(0, cut))?.stateOf(run.slice(cut + 1)) ?? null;
    const counter = counters.get(run) ?? new RunCounter(tally, run === root, within);
    counters.set(run, counter);
    const charge = counter.take(record, isInherited);
    if (charge === null) continue;
    spending.add(charge);
    spend(tally, charge, counters.get(root)?.accountOf(run.slice(root.length + 1), charge) ?? null);
  }
  countChildFailures(tally, counters);
  const counter = counters.get(root);
  if (counter === undefined) throw new Error(`Run ${root} was counted without its journal.`);
  const lastAt = records.reduce((latest, { record }) => Math.max(latest, record.at), 0);
  return { life: lifeOf(counter, { ...sight, lastAt }), spending: spending.sums, tally: tally.sums };
}

/** Phases belong to the root: the spending of its children counts for the phase that started them. */
function spend(tally: Tally, charge: OwnCharge, phase: PhaseName | null): void {
  tally.of('agents', charge.agent ?? '').spending.add(charge);
  tally.of('models', charge.model ?? UNKNOWN_MODEL).spending.add(charge);
  tally.of('days', new Date(charge.at).toISOString().slice(0, 10)).spending.add(charge);
  if (phase === null) return;
  tally.phase(phase).spending.add(charge);
  if (phase.within !== null) {
    tally.phase({ workflow: phase.workflow, phase: phase.within, within: null }).spending.add(charge);
  }
}

function countChildFailures(tally: Tally, counters: ReadonlyMap<string, RunCounter>): void {
  for (const [run, { childFailures }] of counters) {
    for (const [task, failure] of childFailures) {
      // The caller passes on the child's failure, unless it stopped the child for a reason that the child does not know.
      if (counters.get(`${run}/${task}`)?.failure?.code !== failure.code)
        tally.of('errors', failure.code, failure.class).count('all');
    }
  }
}

function lifeOf({ workflow, outcome, clock }: RunCounter, sight: Sight): TreeFigures['life'] {
  const { startedAt, endedAt } = clock;
  const time = endedAt === null ? timeNow(clock, sight) : runTime(clock, endedAt);
  const { workedMs: durationMs, ...apart } = time;
  return { workflow, outcome, startedAt, endedAt, durationMs, ...apart };
}

/** Records of failed calls do not always name their model. */
const UNKNOWN_MODEL = 'unknown';
