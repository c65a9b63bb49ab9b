import { filesMissing } from './files-missing.ts';
import { routeFacts } from './route-facts.ts';
import { planOf } from '../../plan-of.ts';
import type { EndedState } from '../../../core/fold/snapshot.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { BusSent } from '../../../core/record/artifact-fact.ts';
import { ORCHESTRATOR, StepMessages } from '../../../host/perform/outputs/step-messages.ts';
import type { EngineProgram, EffectContext } from '../../../host/world.ts';
import { decidePhase, type PhaseFacts } from '../rules/decide-phase.ts';
import { type DeclaredInputs, givenInputs } from '../rules/given-inputs.ts';
import { type EndedPhase, judgePhases } from '../rules/judge-phases.ts';
import type { PhaseProblem, PhaseProgress } from '../rules/phase-state.ts';
import { phaseEvent } from './phase-event.ts';

/** Computes the inputs before the first phase begins. */
const open: EngineProgram = async ({ snapshot }, { input }) => {
  const kept = givenInputs(snapshot.data, input as unknown as DeclaredInputs);
  return { output: null, kept };
};

/** Decides the next step of a phase. */
const decide: EngineProgram = async (context, effect) => {
  const { data, last } = context.snapshot;
  const facts = factsOf(context);
  const known = (data[effect.keeps ?? ''] ?? null) as unknown as PhaseProgress | null;
  const phases = { ...facts.phases, ...known?.rerun };
  const { state, orders, notes } = decidePhase(facts, known, phaseEvent(last, { ...facts, phases }));
  const sent = notes.map((problem) => errorNote(context, effect, { phase: facts.plan.id, problem }));
  return { output: orders, kept: state as unknown as Json, facts: sent };
};

/** From this engine's own lowering, by way of the journal. */
function factsOf({ definition, snapshot }: EffectContext): PhaseFacts {
  const { reading = null, phases = {}, caller = null } = snapshot.data;
  return { plan: planOf(definition), reading, phases, caller } as unknown as PhaseFacts;
}

function errorNote(
  context: EffectContext,
  effect: ComputeRun,
  { phase, problem }: { readonly phase: string; readonly problem: PhaseProblem },
): BusSent {
  const messages = new StepMessages(context, effect);
  return messages.bus({
    type: 'error',
    sender: phase,
    receiver: ORCHESTRATOR,
    payload: { error_type: problem.code, message: problem.message, can_retry: false },
    correlationId: messages.correlationId(phase),
  });
}

/** The result of all phases together. */
const judge: EngineProgram = async ({ snapshot }, { input }) => {
  const { way = null } = snapshot.data;
  const { optional } = input as unknown as { readonly optional: readonly string[] };
  const { last } = snapshot;
  const failure = last === null || last.outcome === 'ok' ? null : (last.failure?.message ?? '');
  const { go, output, problem } = judgePhases({ units: unitsOf(last), failure, optional, way });
  return { output: { go }, kept: { output, problem: problem === null ? null : { ...problem } } };
};

/** The units of the pool; or the single agent that did everything. */
function unitsOf(last: EndedState | null): readonly EndedPhase[] {
  if (last === null) return [];
  const { state, outcome, output, failure } = last;
  const units = isJsonObject(output) ? output['units'] : undefined;
  if (state !== SIMPLE_STATE) return Array.isArray(units) ? units : [];
  return [
    { id: 'execution', outcome, output: output as unknown as EndedPhase['output'], reason: failure?.message ?? null },
  ];
}

const SIMPLE_STATE = 'simple';

export const PHASE_PROGRAMS: Readonly<Record<string, EngineProgram>> = {
  'phases.open': open,
  'phases.decide': decide,
  'phases.judge': judge,
  'phases.missing': filesMissing,
  'phases.route': routeFacts,
};
