import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import type { CollectedOutputs, PhaseProblem } from './phase-state.ts';

/** How a phase ended, according to the pool of all phases. */
export interface EndedPhase {
  readonly id: string;
  readonly outcome: Outcome;
  readonly output: CollectedOutputs | null;
  readonly reason: string | null;
}

export interface EndedPhases {
  readonly units: readonly EndedPhase[];
  /** Why the pool failed; null if all succeeded. */
  readonly failure: string | null;
  /** The phase that may fail without making the others useless. */
  readonly optional: readonly string[];
  /** The class found for a simple task; null if none was determined. */
  readonly way: Json;
}

export interface PhasesVerdict {
  readonly go: 'done' | 'partial' | 'failed';
  readonly output: JsonObject;
  readonly problem: PhaseProblem | null;
}

/** A permanent failure rolls everything back; unfinished work is kept, and called partial (PH6). */
export function judgePhases(ended: EndedPhases): PhasesVerdict {
  const output = summaryOf(ended);
  if (ended.failure === null) return { go: 'done', output, problem: null };
  const lost = ended.units.filter(
    ({ outcome, reason }) => reason !== null && outcome !== 'ok' && outcome !== 'skipped',
  );
  const critical = lost.filter(({ id, outcome }) => outcome !== 'partial' && !ended.optional.includes(id));
  const isCritical = critical.length > 0;
  const [first] = isCritical ? critical : lost;
  const message = first === undefined ? ended.failure : sentenceOf(first);
  const problem: PhaseProblem = { code: isCritical ? 'PHASE_FAILED' : 'PHASE_PARTIAL', message };
  return { go: isCritical ? 'failed' : 'partial', output, problem };
}

function sentenceOf({ id, outcome, reason }: EndedPhase): string {
  const why = reason ?? '';
  return why.startsWith(`Phase "${id}"`) ? why : `The phase ${id} came out ${outcome}: ${why}`;
}

function summaryOf({ units, way }: EndedPhases): JsonObject {
  const phases = units.map(({ id, outcome, output, reason }) => [
    id,
    { outcome, output: output?.output ?? null, reason },
  ]);
  const paths = units.flatMap(({ output }) => (output?.artifacts ?? []).map(({ path }) => path));
  return {
    ...(way === null ? {} : { way }),
    phases: Object.fromEntries(phases) as JsonObject,
    artifacts: [...new Set(paths)],
  };
}
