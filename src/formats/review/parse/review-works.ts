import type {
  ChoiceWork,
  ComputeWork,
  PoolUnit,
  PoolWork,
  State,
  TurnWork,
  UnitWork,
} from '../../../core/model/workflow.ts';
import { code, goTo, to, workState } from '../../../source/model-parts.ts';
import type { NextEvent, ReviewPlace } from '../rules/review-event.ts';
import { REVIEW_STATE } from '../rules/review-state.ts';

/** Pieces that the states of a review workflow are made of. */

/** The path of the rules' state in expressions. */
export const KEPT_REVIEW = `common_data.${REVIEW_STATE}`;

/** The user's command: a person's choice, else the input; may be empty. */
export const COMMAND = `String(${KEPT_REVIEW}.command ?? common_data.verify ?? '').trim()`;

export const turn = (agent: string, input: string): TurnWork => ({
  kind: 'turn',
  agent,
  mode: 'ask',
  input: code(input),
});

/** An implementer works in its own files and its own conversation, so any worker may take the turn. */
export const workTurn = (agent: string, input: string): TurnWork => ({ ...turn(agent, input), apart: true });

/** A turn that ends with a judgement, checked as it is handed in; the document's keywords count for models that cannot call tools (PD4). */
export const handIn = (agent: string, input: string, tool: string): TurnWork => ({
  ...turn(agent, input),
  reply: [tool],
  replyWords: ['CONSENSUS', 'APPROVE', 'REVISE'],
  check: 'review',
});

export const compute = (program: string, input: string): ComputeWork => ({
  kind: 'compute',
  program,
  input: code(input),
});

/** The same for a program that runs commands on the files of an agent, or puts some there. */
export const computeOnFiles = (program: string, input: string): ComputeWork => ({
  ...compute(program, input),
  writes: true,
});

/** All at the same time; at least so many must come out well. */
export const together = (list: readonly PoolUnit[], count: number): PoolWork => ({
  kind: 'pool',
  units: { kind: 'fixed', list },
  slots: Math.max(1, list.length),
  join: { rule: 'quorum', count },
  grow: null,
});

/** The implementations that are looked at now. */
export const UNITS = `${KEPT_REVIEW}.units`;

/** One for each item. */
export const forEach = (items: string, work: UnitWork, slots: number): PoolWork => ({
  kind: 'pool',
  units: { kind: 'items', items: code(items), work },
  slots,
  join: { rule: 'any' },
  grow: null,
});

export const choose = (by: string, cases: ChoiceWork['cases']): ChoiceWork => ({
  kind: 'choice',
  by: code(by),
  cases,
});

/** A state in which the rules decide which of these places follows. A program that fails ends the run with its failure. */
export const decidingState = (name: string, work: ComputeWork, places: readonly ReviewPlace[]): State => {
  const failed = [to('failed', null, `this.${KEPT_REVIEW} = { ...${KEPT_REVIEW}, problem: failure }`)];
  return workState(
    name,
    { ...work, keeps: REVIEW_STATE },
    {
      transitions: places.map((place) => goTo(place)),
      on: { failed, crashed: failed },
    },
  );
};

/** The same, from nothing but how the state before ended. */
export const follows = (name: string, event: NextEvent, places: readonly ReviewPlace[]): State =>
  decidingState(name, compute('review.next', `({ event: '${event}' })`), places);
