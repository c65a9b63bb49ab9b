import type { EndedState } from '../../../core/fold/snapshot.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { PhaseEvent, PhaseFacts } from '../rules/decide-phase.ts';
import type { CollectedOutputs, PhaseProblem } from '../rules/phase-state.ts';
import type { PhaseBegun } from '../rules/phase-text.ts';
import { emptyTemplates } from './empty-templates.ts';

/** The last event, read from the end of the state before. */
export function phaseEvent(last: EndedState | null, facts: PhaseFacts): PhaseEvent {
  const found = last === null ? undefined : (EVENTS[last.state] ?? EVENTS[last.state.replace(/_\d+$/, '')]);
  if (last !== null && found !== undefined) return found(last, facts);
  throw new Fault(
    'INTERNAL',
    `The phase ${facts.plan.id} came from ${last?.state ?? 'nowhere'}, which decides nothing.`,
    {
      hint: 'This is a defect of Troupe. Please report it with the workflow.',
    },
  );
}

/** By the state that ended; numbered states without the number. */
const EVENTS: Readonly<Record<string, (last: EndedState, facts: PhaseFacts) => PhaseEvent>> = {
  start: (_last, facts) => ({
    kind: 'read',
    problem: facts.reading.missing.length === 0 ? null : emptyTemplates(facts),
  }),
  // From the programs of this engine, by way of the journal.
  begin: (last) =>
    last.outcome === 'ok' ? { kind: 'begun', begun: last.output as unknown as PhaseBegun } : broken(last),
  work: lostTurn,
  fallback: lostTurn,
  collect: (last) => {
    if (last.outcome === 'ok') return { kind: 'collected', made: collectedIn(last.output) };
    const text = textIn(last.output, 'text');
    return text === null ? broken(last) : { kind: 'incomplete', text, problem: problemOf(last) };
  },
  home: (last) =>
    last.outcome === 'ok'
      ? { kind: 'merged' }
      : {
          kind: 'unmerged',
          outcome: last.outcome,
          advice: textIn(last.output, 'advice'),
          problem: problemOf(last),
        },
  again: (last, { plan }) => {
    const phase = plan.loop?.again[Number(/\d+$/.exec(last.state)?.[0]) - 1];
    if (last.outcome !== 'ok' || phase === undefined) return broken(last);
    return { kind: 'reran', phase, made: collectedIn(last.output) };
  },
};

function lostTurn(last: EndedState): PhaseEvent {
  return { kind: 'lost', outcome: last.outcome, problem: problemOf(last) };
}

const broken = (last: EndedState): PhaseEvent => ({ kind: 'broken', problem: problemOf(last) });

function problemOf({ state, outcome, failure }: EndedState): PhaseProblem {
  return failure ?? { code: 'INTERNAL', message: `${state} came out ${outcome}.`, class: 'logic' };
}

const collectedIn = (output: Json): CollectedOutputs => output as unknown as CollectedOutputs;

function textIn(output: Json, key: string): string | null {
  const text = isJsonObject(output) ? output[key] : undefined;
  return typeof text === 'string' ? text : null;
}
