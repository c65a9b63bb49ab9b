import type { SingleWork, State } from '../../core/workflow.ts';
import { to, workState } from '../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, choose, compute, forEach, HAS_COMMAND, LOST, NEXT_SPEAKER, UNITS_NOW, turn } from './review-works.ts';

/** Whoever was chosen goes on in its own session and files with what stands against it; then its changes are looked at (PD6). */
export function revising({ implementers, finalRounds, timeoutMs }: ReviewPlan): readonly State[] {
  const cases: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    implementers.map(({ id }) => [id, turn(id, 'common_data.orders[item.id]')]),
  );
  const work = forEach(UNITS_NOW, choose('item.id', cases), implementers.length);
  return [
    ordered(),
    workState('revise', work, { ...always('revised', REVISED), timeoutMs }),
    workState(
      'revised',
      { kind: 'none' },
      {
        transitions: [to('verify', HAS_COMMAND), to('touched')],
      },
    ),
    touched(),
    reopened(finalRounds),
  ];
}

/** What a person or a synthesis said was about the work as it was before. */
const REVISED = `this.common_data.revisions = common_data.revisions + 1; this.common_data.touched = {};
  this.common_data.asked = null; this.common_data.synthesis = null; this.common_data.unmixed = ''`;

function ordered(): State {
  const input = "({ ledger: 'ledger', chosen: common_data.decision.chosen, evidence: common_data.evidence })";
  const keep = `this.common_data.orders = result.orders; this.common_data.trees = result.trees;
    this.common_data.todo = common_data.decision.chosen; this.common_data.units = result.units`;
  return workState('orders', compute('review.orders', input), { transitions: [to('revise', null, keep)], on: LOST });
}

function touched(): State {
  const input = "({ id: item.id, agent: item.id, since: common_data.trees[item.id], ledger: 'ledger' })";
  const keep = `() => {
    const d = this.common_data;
    for (const one of result?.units ?? []) if (one.output) d.touched[one.id] = one.output;
  }`;
  return workState('touched', forEach(UNITS_NOW, compute('review.touched', input), 2), always('pack', keep));
}

function reopened(finalRounds: number): State {
  const input = `({ ledger: 'ledger', pack: 'pack', chosen: common_data.todo, maxRounds: ${finalRounds}, touched: common_data.touched })`;
  const keep = 'this.common_data.ledger = result.ledger';
  return workState('reopen', compute('review.reopen', input), {
    transitions: [to('decide', 'result.next === null', keep), to('debate', null, `${keep}; ${NEXT_SPEAKER}`)],
    on: LOST,
  });
}
