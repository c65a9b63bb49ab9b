import type { Spent } from '../model/usage.ts';
import type { Fact } from './fact.ts';
import type { TaskId } from '../model/ids.ts';

export interface Charge extends Spent {
  readonly task: TaskId;
  /** Which model call of the turn; null where only the turn is known. */
  readonly call: number | null;
  /** Null where the record does not name it. */
  readonly model: string | null;
  /** The sum of a child run, whose own journal holds the calls: add up either these or the child's records, never both. */
  readonly isOfChild: boolean;
}

/**
 * The cost of a record, or null (R4). Every sum that Troupe shows or limits is a sum of these, including failed calls, lost
 * results and undone work.
 */
export function chargeOf(fact: Fact): Charge | null {
  const read = CHARGES[fact.kind] as ((fact: Fact) => Charge | null) | undefined;
  return read?.(fact) ?? null;
}

const CHARGES: { readonly [Kind in Fact['kind']]?: (fact: Extract<Fact, { readonly kind: Kind }>) => Charge | null } = {
  'call.answered': (fact) => charge(fact, fact, { call: fact.call, model: fact.model }),
  'call.failed': (fact) =>
    fact.spent === undefined ? null : charge(fact, fact.spent, { call: fact.call, model: fact.spent.model ?? null }),
  'usage.noted': (fact) => charge(fact, fact, { model: fact.model ?? null, isOfChild: fact.isOfChild ?? false }),
  'tool.finished': (fact) => (fact.spent === undefined ? null : charge(fact, fact.spent, { isOfChild: true })),
  'task.ended': (fact) =>
    fact.usage === undefined
      ? null
      : charge(fact, { usage: fact.usage, costUsd: fact.costUsd ?? null }, { isOfChild: true }),
};

function charge(
  { task }: { readonly task: TaskId },
  { usage, costUsd }: Spent,
  more: Partial<Pick<Charge, 'call' | 'model' | 'isOfChild'>>,
): Charge {
  return { task, usage, costUsd, call: null, model: null, isOfChild: false, ...more };
}

/** A call that this run paid for itself, and on whose account. */
export interface OwnCharge extends Charge {
  readonly agent: string | null;
  readonly state: string;
  readonly unit: string | null;
  readonly at: number;
}
