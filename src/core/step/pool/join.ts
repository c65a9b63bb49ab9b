import { unreachable } from '../../model/fault.ts';
import type { Failure, Outcome } from '../../model/outcome.ts';
import type { Unit } from '../../fold/snapshot.ts';
import { isGood } from '../../fold/units.ts';
import type { Join } from '../../model/workflow.ts';

export interface JoinVerdict {
  readonly outcome: Outcome;
  /** The unit that decided a `first` join. */
  readonly winner: string | null;
  readonly failure: Failure | null;
}

/** The result of the pool, or null while it is open. A pure function of the units, so it can be tested alone. */
export function judgeJoin(join: Join, units: readonly Unit[], called?: string): JoinVerdict | null {
  const winner = join.rule === 'first' ? firstOk(units) : null;
  // From the end: units mostly end in the order they joined.
  const isOpen = units.findLast((unit) => unit.status !== 'ended') !== undefined;
  if (winner === null && isOpen) return null;
  const good = units.filter(isGood).length;
  const held: JoinVerdict = {
    outcome: good === units.length ? 'ok' : 'partial',
    winner: winner?.id ?? null,
    failure: null,
  };
  if (winner !== null) return held;
  const needed = neededBy(join, units.length);
  if (good >= needed) return held;
  return { outcome: worst(units), winner: null, failure: joinFailed(units, { good, needed, called }) };
}

/** Judged after every unit that ends, so there is one; after a pause there may be several, and the one that joined first wins. */
function firstOk(units: readonly Unit[]): Unit | null {
  return units.find((unit) => unit.outcome === 'ok') ?? null;
}

function neededBy(join: Join, count: number): number {
  switch (join.rule) {
    case 'all':
      return count;
    case 'any':
    case 'first':
      return 1;
    case 'quorum':
      return join.count;
    default:
      return unreachable(join);
  }
}

/** Why the pool failed: an outcome that stops new work (quota) or all work (cancelled) outweighs an ordinary failure. */
function worst(units: readonly Unit[]): Outcome {
  const found = new Set(units.map((unit) => unit.outcome));
  const order: readonly Outcome[] = ['cancelled', 'quota', 'failed', 'blocked', 'timeout', 'crashed'];
  return order.find((outcome) => found.has(outcome)) ?? 'failed';
}

interface Count {
  readonly good: number;
  readonly needed: number;
  readonly called: string | undefined;
}

function joinFailed(units: readonly Unit[], { good, needed, called }: Count): Failure {
  const lost = units.filter((unit) => !isGood(unit));
  const list = lost.map((unit) => `${unit.id} ${unit.outcome}${called === undefined ? why(unit) : ''}`);
  const sum = `${good} of ${units.length} ${called ?? 'units'} came out ok`;
  const all = called !== undefined && needed === units.length ? sum : `${sum}, ${needed} were needed`;
  return {
    code: 'JOIN_FAILED',
    message: list.length === 0 ? `${all}.` : `${all}: ${list.join(called === undefined ? '; ' : ', ')}`,
    class: 'logic',
  };
}

/** The reasons of named units were reported when they ended. */
const why = ({ reason }: Unit): string => (reason === null ? '' : ` (${reason})`);
