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
        to('synthesise', "result.needs === 'synthesis'", `${keep}; this.common_data.say = result.say`),
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
    workState('synthesise', handIn(SYNTHESISER, TASK_AND_DEBATE, 'hand_in_synthesis'), always('decide', SYNTHESISED)),
  ];
}

/** It had no part in the debate. */
const TASK_AND_DEBATE = "'# The task\\n\\n' + common_data.task + '\\n\\n# The debate\\n\\n' + common_data.say";

/** A model that cannot call tools may have said it in keywords. */
const SYNTHESISED = `() => {
  const d = this.common_data;
  const agent = this.agents.get('${SYNTHESISER}');
  const call = outcome === 'ok' ? agent.getParsingToolCalls()[0]?.function : undefined;
  const said = outcome === 'ok' ? { text: agent.getLastResponse() ?? '' } : { failed: failure?.message ?? 'It gave no synthesis.' };
  d.synthesis = call?.arguments ?? said;
}`;
