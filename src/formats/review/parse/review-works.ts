import type { ChoiceWork, PoolUnit, PoolWork, SingleWork, TurnWork, UnitWork } from '../../../core/model/workflow.ts';
import { code, to, type StateParts } from '../../../source/model-parts.ts';

/** Pieces that the states of a review workflow are made of. */

export const turn = (agent: string, input: string): TurnWork => ({
  kind: 'turn',
  agent,
  mode: 'ask',
  input: code(input),
});

/** A turn that ends with a judgement, checked as it is handed in; the document's keywords count for models that cannot call tools (PD4). */
export const handIn = (agent: string, input: string, tool: string): TurnWork => ({
  ...turn(agent, input),
  reply: [tool],
  replyWords: ['CONSENSUS', 'APPROVE', 'REVISE'],
  check: 'review',
});

export const compute = (program: string, input: string): SingleWork => ({
  kind: 'compute',
  program,
  input: code(input),
});

/** All at the same time; at least so many must come out well. */
export const together = (list: readonly PoolUnit[], count: number): PoolWork => ({
  kind: 'pool',
  units: { kind: 'fixed', list },
  slots: Math.max(1, list.length),
  join: { rule: 'quorum', count },
  grow: null,
});

/** One for each item of a list. */
export const forEach = (items: string, work: UnitWork, slots: number): PoolWork => ({
  kind: 'pool',
  units: { kind: 'items', items: code(items), work },
  slots,
  join: { rule: 'any' },
  grow: null,
});

export const choose = (by: string, cases: Readonly<Record<string, SingleWork>>): ChoiceWork => ({
  kind: 'choice',
  by: code(by),
  cases,
});

const BAD = ['failed', 'crashed', 'timeout', 'blocked', 'partial'] as const;

/** However it came out. */
export const always = (target: string, assign: string | null = null): StateParts => ({
  transitions: [to(target, null, assign)],
  on: Object.fromEntries(BAD.map((outcome) => [outcome, [to(target, null, assign)]])),
});

const KEEP_PROBLEM = 'this.common_data.problem = failure';

/** What the engine itself could not do ends the run. */
export const LOST: NonNullable<StateParts['on']> = {
  failed: [to('failed', null, KEEP_PROBLEM)],
  crashed: [to('failed', null, KEEP_PROBLEM)],
};

/** Who speaks next in a debate, and whether it has still to see what was revised. */
export const NEXT_SPEAKER = `this.common_data.speaker = result.next.speaker; this.common_data.say = result.next.say;
  this.common_data.isNew = result.next.isNew`;

export const HAS_COMMAND = "(common_data.verify ?? '') !== ''";

/** Those that are looked at now, each a unit that bears its name. */
export const UNITS_NOW = 'common_data.units';
