import type { MergeWork, State, Transition } from '../../core/workflow.ts';
import { code, endState, to, workState } from '../source/model-parts.ts';
import { colliding } from './colliding.ts';
import { HYBRID } from './review-cast.ts';
import type { ReviewPlan } from './review-plan.ts';
import { compute, LOST } from './review-works.ts';

/** The winner's files come home when the command succeeds on them; nobody else's do (PD7). */
export function merging({ implementers, protect }: ReviewPlan): readonly State[] {
  const ids = implementers.map(({ id }) => id);
  const nobody =
    "this.common_data.problem = { code: 'NO_WINNER', message: 'Nobody was found best: ' + common_data.decision.reason }";
  const parts = `({ parts: common_data.decision.parts, agent: '${HYBRID}', command: common_data.verify ?? '', protect: ${JSON.stringify(protect)} })`;
  return [
    workState('hybrid', compute('review.hybrid', parts), {
      transitions: [to(`merge_${HYBRID}`)],
      on: { failed: UNMIXED, crashed: UNMIXED },
    }),
    workState(`merge_${HYBRID}`, mergeOf(HYBRID, protect), {
      transitions: [to('done')],
      on: { blocked: UNMIXED, failed: UNMIXED, timeout: UNMIXED, crashed: UNMIXED },
    }),
    workState(
      'merge',
      { kind: 'none' },
      {
        transitions: [
          to('partial', TAMPERED, FOUND_OUT),
          ...ids.map((id) => to(`merge_${id}`, `common_data.decision.best === ${JSON.stringify(id)}`)),
          to('failed', null, nobody),
        ],
      },
    ),
    ...ids.flatMap((id) => broughtHome(id, protect)),
    ...ends(),
  ];
}

/** What was put together has no author that could mend it: the best one stands for itself, and is weighed as such. */
const UNMIXED: readonly Transition[] = [
  to('decide', null, "this.common_data.unmixed = failure?.message ?? 'It did not come out well.'"),
];

const TAMPERED_WITH = '(common_data.evidence[common_data.decision.best]?.tampered ?? [])';

/** No result of the command counts for it. Approved with that in it is only what a person approved. */
const TAMPERED = `common_data.decision.decision !== 'APPROVE' && ${TAMPERED_WITH}.length > 0`;

const HOW_TO_GET =
  "'See what was red: troupe compare RUN. Take it marked as not verified: troupe deliver RUN --agent ' + id + ' --unverified'";

/** What is known of the files stands first: the rest is long. */
const SAID = "('The best so far, ' + id + ', is NOT VERIFIED: ' + why + ' ' + before.message).trim()";

const FOUND_OUT = `() => {
  const d = this.common_data;
  const id = d.decision.best;
  const why = 'It changed what the command is made of, so that no result of it counts: ' + ${TAMPERED_WITH}.map((one) => one.path).join(', ') + '.';
  d.unverified = { implementation: id, code: 'TAMPERED', why };
  const before = d.problem;
  d.problem = { ...before, message: ${SAID}, hint: ${HOW_TO_GET} };
}`;

/** Nothing comes home, and what there is stays where it is, marked as what it is. */
const notVerified = (id: string): string => `() => {
  const d = this.common_data;
  const id = ${JSON.stringify(id)};
  const why = failure?.message ?? 'The merge did not come out well.';
  d.unverified = { implementation: id, code: failure?.code ?? 'MERGE_NOT_VERIFIED', why };
  const before = d.problem ?? { code: d.unverified.code, message: '' };
  d.problem = { ...before, message: ${SAID}, hint: ${HOW_TO_GET} };
}`;

const mergeOf = (agent: string, protect: readonly string[]): MergeWork => ({
  kind: 'merge',
  agent,
  verify: code("common_data.verify ?? ''"),
  protect,
});

function broughtHome(id: string, protect: readonly string[]): readonly State[] {
  const collision = colliding(id, protect);
  const red = [to('partial', null, notVerified(id))];
  return [
    workState(`merge_${id}`, mergeOf(id, protect), {
      transitions: [to('done', 'common_data.problem === null'), to('partial')],
      on: {
        blocked: collision.blocked,
        failed: [...collision.red, ...red],
        timeout: red,
        crashed: LOST.crashed ?? [],
      },
    }),
    ...collision.states,
  ];
}

const OUTPUT = `({ winner: common_data.decision?.best ?? null, decision: common_data.decision?.decision ?? null,
  reason: common_data.decision?.reason ?? null, isSynthesis: common_data.decision?.isSynthesis ?? false,
  dissent: common_data.decision?.dissent ?? [], revisions: common_data.revisions, lost: common_data.lost, evidence: common_data.evidence,
  unverified: common_data.unverified })`;

function ends(): readonly State[] {
  const failure = 'common_data.problem';
  return [
    endState('done', 'ok', { output: OUTPUT }),
    endState('partial', 'partial', { output: OUTPUT, failure }),
    endState('blocked', 'blocked', { output: OUTPUT, failure }),
    endState('failed', 'failed', { output: OUTPUT, failure }),
  ];
}
