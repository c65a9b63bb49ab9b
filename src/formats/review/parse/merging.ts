import type { MergeWork, SingleWork, State } from '../../../core/model/workflow.ts';
import { code, endState, leadsTo, to, workState } from '../../../source/model-parts.ts';
import { HYBRID, type ReviewPlan } from './review-plan.ts';
import { choose, COMMAND, computeOnFiles, decidingState, follows, KEPT_REVIEW, workTurn } from './review-works.ts';

/** Only the winner's files are merged, and only when the command succeeds on them (PD7). */
export function merging({ implementers, protect }: ReviewPlan): readonly State[] {
  const ids = implementers.map(({ id }) => id);
  const best = (id: string): string => `${BEST} === ${JSON.stringify(id)}`;
  return [
    ...hybrid(protect),
    workState('merge', { kind: 'none' }, { transitions: ids.map((id) => to(`merge_${id}`, best(id))) }),
    ...ids.map((id) => broughtHome(id, protect)),
    ...colliding(ids),
    ...ends(),
  ];
}

const BEST = `${KEPT_REVIEW}.decision.best`;

/** A combination has no author who could fix it: where it fails, the best one is weighed by itself. */
function hybrid(protect: readonly string[]): readonly State[] {
  const input = `({ parts: ${KEPT_REVIEW}.decision.parts, agent: '${HYBRID}', command: ${COMMAND}, protect: ${JSON.stringify(protect)} })`;
  return [
    workState('hybrid', computeOnFiles('review.hybrid', input), {
      ...leadsTo('decide'),
      transitions: [to(`merge_${HYBRID}`)],
    }),
    workState(`merge_${HYBRID}`, mergeOf(HYBRID, protect), { ...leadsTo('decide'), transitions: [to('done')] }),
  ];
}

const mergeOf = (agent: string, protect: readonly string[]): MergeWork => ({
  kind: 'merge',
  agent,
  verify: code(COMMAND),
  protect,
});

const broughtHome = (id: string, protect: readonly string[]): State =>
  workState(`merge_${id}`, mergeOf(id, protect), {
    ...leadsTo('unmerged'),
    transitions: [to('done', `${KEPT_REVIEW}.problem === null`), to('partial')],
  });

/** A collision goes back to the winner's author, then to the person. */
function colliding(ids: readonly string[]): readonly State[] {
  const authors: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    ids.map((id) => [id, workTurn(id, `${KEPT_REVIEW}.say`)]),
  );
  return [
    follows('unmerged', 'unmerged', ['settle', 'collide', 'partial', 'failed']),
    workState('settle', choose(BEST, authors), leadsTo('guard')),
    decidingState('guard', computeOnFiles('review.guard', `({ agent: ${BEST} })`), ['collide', 'merge']),
    // The person settles the files first, so the answer is for what they left.
    workState(
      'collide',
      { kind: 'ask', question: code(`${KEPT_REVIEW}.question`), choices: [], approves: 'as-answered' },
      { transitions: [to('answer_collision')] },
    ),
    follows('answer_collision', 'collision answered', ['collide', 'blocked', 'merge', 'settle']),
  ];
}

const OUTPUT = `({ winner: ${BEST.replace('.best', '?.best')} ?? null, decision: ${KEPT_REVIEW}.decision?.decision ?? null,
  reason: ${KEPT_REVIEW}.decision?.reason ?? null, isSynthesis: ${KEPT_REVIEW}.decision?.isSynthesis ?? false, dissent: ${KEPT_REVIEW}.decision?.dissent ?? [],
  revisions: ${KEPT_REVIEW}.revisions, lost: ${KEPT_REVIEW}.lost, evidence: ${KEPT_REVIEW}.evidence, unverified: ${KEPT_REVIEW}.unverified })`;

function ends(): readonly State[] {
  const failure = `${KEPT_REVIEW}.problem`;
  return [
    endState('done', 'ok', { output: OUTPUT }),
    endState('partial', 'partial', { output: OUTPUT, failure }),
    endState('blocked', 'blocked', { output: OUTPUT, failure }),
    endState('failed', 'failed', { output: OUTPUT, failure }),
  ];
}
