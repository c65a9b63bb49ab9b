import type { State } from '../../core/workflow.ts';
import { code, to, workState } from '../source/model-parts.ts';
import { SYNTHESISER } from './review-cast.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, compute, handIn, LOST } from './review-works.ts';

/** What follows from the last positions of all; a person or a synthesis is asked only where the author wants it or nobody agreed (PD5). */
export function deciding({ pick, maxRevisions }: ReviewPlan): readonly State[] {
  const input = `({ ledger: common_data.ledger, pick: ${JSON.stringify(pick)}, evidence: common_data.evidence,
    asked: common_data.asked, synthesis: common_data.synthesis, unmixed: common_data.unmixed })`;
  const keep = 'this.common_data.decision = result';
  const usedUp = `this.common_data.problem = { code: 'REVISIONS_USED', hint: 'The best so far is kept. See what is open: troupe debate RUN',
    message: 'After ${maxRevisions} ${maxRevisions === 1 ? 'revision' : 'revisions'} it is not approved: ' + result.reason }`;
  return [
    workState('decide', compute('review.decide', input), {
      transitions: [
        to('ask', "result.needs === 'person'", keep),
        to('show', "result.needs === 'synthesis'", keep),
        to('hybrid', "result.decision === 'APPROVE' && (result.parts ?? []).length > 1", keep),
        to('merge', "result.decision === 'APPROVE'", keep),
        to('merge', `common_data.revisions >= ${maxRevisions}`, `${keep}; ${usedUp}`),
        to('orders', null, keep),
      ],
      on: LOST,
    }),
    workState(
      'ask',
      { kind: 'ask', question: code('common_data.decision.question'), choices: [], approves: 'as-asked' },
      { transitions: [to('decide', null, 'this.common_data.asked = result')] },
    ),
    workState('show', compute('review.pack', ALL_LIVE), { transitions: [to('synthesise', null, SHOWN)], on: LOST }),
    workState('synthesise', handIn(SYNTHESISER, 'common_data.say', 'hand_in_synthesis'), always('decide', SYNTHESISED)),
  ];
}

/** The synthesiser had no part in the debate: it gets the whole diffs, also after a revision. The workspace is filled already. */
const ALL_LIVE = `({ task: common_data.task, since: null, agent: null,
  implementations: common_data.alive
    .filter((id) => !common_data.ledger.resting.includes(id) && !common_data.ledger.lost.some((one) => one.id === id))
    .map((id) => ({ id, agent: id, evidence: common_data.evidence[id] ?? null })) })`;

const SHOWN = "this.common_data.say = result.text + '\\n\\n# The debate\\n\\n' + common_data.decision.say";

/** A model that cannot call tools may have said it in keywords. */
const SYNTHESISED = `() => {
  const d = this.common_data;
  const agent = this.agents.get('${SYNTHESISER}');
  const call = outcome === 'ok' ? agent.getParsingToolCalls()[0]?.function : undefined;
  const said = outcome === 'ok' ? { text: agent.getLastResponse() ?? '' } : { failed: failure?.message ?? 'It gave no synthesis.' };
  d.synthesis = call?.arguments ?? said;
}`;
