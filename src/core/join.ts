import { unreachable } from './fault.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Unit } from './snapshot.ts';
import type { Join } from './workflow.ts';

export interface Verdict {
  readonly outcome: Outcome;
  /** The unit that decided a `first` join. */
  readonly winner: string | null;
  readonly failure: Failure | null;
}

/** What the pool has come to, or null while it is open. A pure function of the units, so it can be checked alone. */
export function judge(join: Join, units: readonly Unit[]): Verdict | null {
  const winner = join.rule === 'first' ? firstOk(units) : null;
  if (winner !== null) return { outcome: units.length === 1 ? 'ok' : 'partial', winner: winner.id, failure: null };
  if (units.some((unit) => unit.status !== 'ended')) return null;
  const good = units.filter((unit) => unit.outcome === 'ok').length;
  const needed = neededBy(join, units.length);
  if (good === units.length) return { outcome: 'ok', winner: null, failure: null };
  if (good >= needed) return { outcome: 'partial', winner: null, failure: null };
  return { outcome: worst(units), winner: null, failure: joinFailed(units, { good, needed }) };
}

/** The ok unit that ended first; units keep the order they joined in, the journal the order they ended in. */
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

/** Why the pool failed: what stops the spawning (quota) or the work (cancelled) outweighs an ordinary failure. */
function worst(units: readonly Unit[]): Outcome {
  const found = new Set(units.map((unit) => unit.outcome));
  const order: readonly Outcome[] = ['cancelled', 'quota', 'blocked', 'timeout', 'crashed'];
  const only = order.find((outcome) => found.has(outcome));
  return only !== undefined && !found.has('failed') ? only : 'failed';
}

function joinFailed(units: readonly Unit[], count: { readonly good: number; readonly needed: number }): Failure {
  const lost = units.filter((unit) => unit.outcome !== 'ok');
  const list = lost.map((unit) => `${unit.id} ${unit.outcome}${unit.reason === null ? '' : ` (${unit.reason})`}`);
  return {
    code: 'JOIN_FAILED',
    message: `${count.good} of ${units.length} units came out ok, ${count.needed} were needed: ${list.join('; ')}`,
    class: 'logic',
  };
}
