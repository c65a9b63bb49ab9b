import type { SingleWork, State } from '../../../core/model/workflow.ts';
import { code, leadsTo, to, workState } from '../../../source/model-parts.ts';
import { type ReviewPlan, SYNTHESISER } from './review-plan.ts';
import {
  choose,
  compute,
  decidingState,
  follows,
  forEach,
  handIn,
  KEPT_REVIEW,
  together,
  UNITS,
  workTurn,
} from './review-works.ts';

/** First reviews without knowing of each other, then one turn after the other until it converges (PD3, PD4). */
export function reviewing({ reviewers, reviewTimeoutMs: timeoutMs }: ReviewPlan): readonly State[] {
  const units = reviewers.map(({ id }) => ({ id, after: [], work: handIn(id, FIRST, 'hand_in_review') }));
  const debated: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    reviewers.map(({ id }) => [id, handIn(id, SAID, 'hand_in_position')]),
  );
  return [
    workState('review', together(units, 1), { ...leadsTo('take'), timeoutMs }),
    decidingState('take', compute('review.take', 'null'), ['debate', 'decide']),
    workState('debate', choose(`${KEPT_REVIEW}.speaker`, debated), { ...leadsTo('take'), timeoutMs }),
  ];
}

const ORDER =
  'Review every implementation independently; the other reviewers do the same, and you do not see their reviews. Read every hunk, and open the files where the diff is not enough. Hand in with `hand_in_review`, once, as your last action.';

const FIRST = `${KEPT_REVIEW}.pack.text + ${JSON.stringify(`\n\n# Your order\n\n${ORDER}`)}`;

/** After a revision each reviewer first sees the changes. */
const SAID = `(${KEPT_REVIEW}.isNew ? ${KEPT_REVIEW}.pack.text + '\\n\\n' : '') + ${KEPT_REVIEW}.say`;

/** Decides by the last positions of all; asks a person or a synthesiser if they decide nothing (PD5). */
export function deciding(): readonly State[] {
  return [
    follows('decide', 'deciding', ['ask', 'show', 'hybrid', 'merge', 'orders', 'partial', 'failed']),
    workState(
      'ask',
      {
        kind: 'ask',
        question: code(`${KEPT_REVIEW}.question`),
        choices: code(`${KEPT_REVIEW}.decision.choices`),
        approves: 'as-asked',
      },
      { transitions: [to('decide')] },
    ),
    decidingState('show', compute('review.show', 'null'), ['synthesise']),
    workState('synthesise', handIn(SYNTHESISER, `${KEPT_REVIEW}.say`, 'hand_in_synthesis'), leadsTo('decide')),
  ];
}

/** The chosen implementers fix the findings against their work, each in its own session and files (PD6). */
export function revising({ implementers, timeoutMs }: ReviewPlan): readonly State[] {
  const cases: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    implementers.map(({ id }) => [id, workTurn(id, `${KEPT_REVIEW}.orders[item.id]`)]),
  );
  const work = forEach(UNITS, choose('item.id', cases), implementers.length);
  return [
    decidingState('orders', compute('review.orders', 'null'), ['revise']),
    workState('revise', work, { ...leadsTo('revised'), timeoutMs }),
    follows('revised', 'revised', ['verify', 'pack']),
  ];
}
