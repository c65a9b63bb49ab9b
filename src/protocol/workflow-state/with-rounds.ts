import { STEP_BEGIN } from '../../core/model/step-program.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { TreeLineage } from '../history/lineage.ts';
import type { RunRecord } from '../history/run-record.ts';
import type { PhaseState } from './workflow-state.ts';

/**
 * Adds the rounds of loops: a phase that fixes findings repeats in its own run, and the repeated review runs below it. Each round
 * of a phase begins with the same program.
 */
export function withRounds(phases: readonly PhaseState[], records: readonly RunRecord[]): readonly PhaseState[] {
  const rounds = countRounds(records);
  return phases.map((phase) => ({ ...phase, times: Math.max(phase.times, rounds.get(phase.phase) ?? 0) }));
}

function countRounds(records: readonly RunRecord[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  const begun = records.flatMap(({ run, record: { seq, fact } }) => {
    if (fact.kind !== 'task.started' || fact.work.kind !== 'compute' || fact.work.program !== STEP_BEGIN) return [];
    const { phase } = isJsonObject(fact.work.input) ? fact.work.input : {};
    return typeof phase === 'string' ? [{ run, seq, phase }] : [];
  });
  if (begun.length === 0) return counted;
  const tree = new TreeLineage(records);
  for (const { run, seq, phase } of begun) {
    if (tree.counts(run, seq)) counted.set(phase, (counted.get(phase) ?? 0) + 1);
  }
  return counted;
}
