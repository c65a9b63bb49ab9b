import { foldRecords } from '../../src/core/fold/fold.ts';
import type { TaskId } from '../../src/core/model/ids.ts';
import { TestedRun } from '../../src/core/testing/tested-run.ts';
import { report, settings } from '../harness/report.ts';
import { slotsDefinition } from './slots-team.ts';

/**
 * A pool whose child runs end as soon as they begin, without a host: what the core spends on a unit to decide, and to fold its
 * records afterwards. Alone: node bench/jobs/pool-core.ts '{"units":100000}'
 */
const { units } = settings() as { units: number };
const SLOTS = 4;
const FEW = 1000;

// Small pools take turns, so that their figures are not those of a few milliseconds.
const rounds = Math.max(1, Math.ceil(20_000 / units));
play(FEW);
play(FEW);
let decided = 0;
let folded = 0;
let bytes = 0;
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now();
  const records = play(units);
  const middle = performance.now();
  const { status, result } = foldRecords(records);
  folded += performance.now() - middle;
  decided += middle - start;
  if (round === 0) bytes = records.reduce((sum, { fact }) => sum + JSON.stringify(fact).length, 0);
  if (result?.outcome !== 'ok') throw new Error(`The pool is ${status}: ${result?.failure?.message}`);
}
report({
  decideUnitUs: (decided * 1000) / units / rounds,
  foldUnitUs: (folded * 1000) / units / rounds,
  bytes: bytes / units,
});

function play(count: number): TestedRun['records'] {
  const run = new TestedRun(slotsDefinition({ slots: SLOTS, own: false, role: { includedTools: [] }, units: count }));
  for (const child of started(run)) {
    run.send({ kind: 'child.settled', child, outcome: 'ok', output: null, failure: null, workspaces: {} });
  }
  return run.records;
}

/** The child runs, as they are started. */
function* started(run: TestedRun): Generator<TaskId> {
  for (let at = 0; at < run.effects.length; at += 1) {
    const effect = run.effects[at];
    if (effect?.kind === 'child.start') yield effect.task;
  }
}
