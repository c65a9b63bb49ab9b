import type { State } from '../../../core/model/workflow.ts';
import { code, endState, leadsTo, to, workState } from '../../../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import {
  COMMAND,
  compute,
  computeOnFiles,
  decidingState,
  follows,
  forEach,
  KEPT_REVIEW,
  together,
  UNITS,
  workTurn,
} from './review-works.ts';

/** The user's command is tried on the untouched project; a person says what to do where it cannot be run. */
export function tryingCommand(): readonly State[] {
  return [
    decidingState('start', compute('review.start', 'null'), ['try_verify', 'implement']),
    decidingState('try_verify', compute('review.try', 'null'), ['ask_verify', 'implement']),
    workState(
      'ask_verify',
      { kind: 'ask', question: code(`${KEPT_REVIEW}.question`), choices: [], approves: 'as-answered' },
      { transitions: [to('answer_verify')] },
    ),
    follows('answer_verify', 'command answered', [
      'ask_verify',
      'unusable',
      'implement',
      'pack',
      'verify',
      'try_verify',
    ]),
    endState('unusable', 'failed', { output: 'null', failure: `${KEPT_REVIEW}.problem` }),
  ];
}

const TEST = '\n\n# Test command\n\nWhen you are done the engine runs: ';

const TASK = `'# The task\\n\\n' + common_data.task + (${COMMAND} === '' ? '' : ${JSON.stringify(TEST)} + ${COMMAND})`;

/** All implement at the same time; the engine's evidence is packed for the reviewers (PD1, PD2). */
export function implementing(plan: ReviewPlan): readonly State[] {
  const { implementers, reviewers, quorum, protect, timeoutMs } = plan;
  const units = implementers.map(({ id }) => ({
    id,
    after: [],
    work: { ...workTurn(id, TASK), changes: {} },
  }));
  const verified = `({ id: item.id, agent: item.id, command: ${COMMAND}, protect: ${JSON.stringify(protect)} })`;
  const verifiable = `${COMMAND} === '' ? [] : ${UNITS}`;
  return [
    workState('implement', together(units, quorum), { ...leadsTo('implemented'), timeoutMs }),
    follows('implemented', 'implemented', ['failed', 'verify', 'pack']),
    // The user's own command, with the user's own copy of what it is made of.
    workState(
      'verify',
      forEach(verifiable, computeOnFiles('review.verify', verified), implementers.length),
      leadsTo('verified'),
    ),
    follows('verified', 'verified', ['pack', 'ask_verify']),
    decidingState('pack', computeOnFiles('review.pack', `({ agent: ${JSON.stringify(reviewers[0]?.id ?? '')} })`), [
      'review',
      'debate',
      'decide',
    ]),
  ];
}
