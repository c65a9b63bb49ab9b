import type { State } from '../../core/workflow.ts';
import { code, endState, to, workState } from '../source/model-parts.ts';
import { HYBRID } from './review-cast.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, compute, HAS_COMMAND, KEEP_PROBLEM, turn } from './review-works.ts';

/** The winner's files come home when the command succeeds on them; nobody else's do (PD7). */
export function merging({ implementers, protect }: ReviewPlan): readonly State[] {
  const ids = [...implementers.map(({ id }) => id), HYBRID];
  const nobody =
    "this.common_data.problem = { code: 'NO_WINNER', message: 'Nobody was found best: ' + common_data.decision.reason }";
  const foundOut = `this.common_data.problem = { code: 'TAMPERED', message: 'The best one, ' + common_data.decision.best
    + ', changed what the command is made of, so that no result of it counts: ' + ${TAMPERED_WITH}.map((one) => one.path).join(', ') }`;
  const parts = `({ parts: common_data.decision.parts, agent: '${HYBRID}', command: common_data.verify ?? '', protect: ${JSON.stringify(protect)} })`;
  const mixed = 'this.common_data.decision = { ...common_data.decision, mixed: failure?.message ?? null }';
  return [
    workState('hybrid', compute('review.hybrid', parts), {
      transitions: [to(`merge_${HYBRID}`)],
      on: { failed: [to('merge', null, mixed)], crashed: [to('merge', null, mixed)] },
    }),
    workState(
      'merge',
      { kind: 'none' },
      {
        transitions: [
          to('unverified', TAMPERED, foundOut),
          ...ids.map((id) => to(`merge_${id}`, `common_data.decision.best === ${JSON.stringify(id)}`)),
          to('failed', null, nobody),
        ],
      },
    ),
    ...ids.flatMap(broughtHome),
    ...ends(),
  ];
}

const TAMPERED_WITH = '(common_data.evidence[common_data.decision.best]?.tampered ?? [])';

/** The command would run on the files of the one it is to judge. Approved with that in it is only what a person approved. */
const TAMPERED = `common_data.decision.decision !== 'APPROVE' && ${TAMPERED_WITH}.length > 0`;

/** What collides goes back to its author once, then to the person. */
function broughtHome(id: string): readonly State[] {
  const verify = code(`${HAS_COMMAND} ? common_data.verify : 'true'`);
  const settle = 'this.common_data.merges = common_data.merges + 1; this.common_data.say = result.advice';
  const red = [to('unverified', null, KEEP_PROBLEM)];
  return [
    workState(
      `merge_${id}`,
      { kind: 'merge', agent: id, verify },
      {
        transitions: [to('done', 'common_data.problem === null'), to('partial')],
        on: {
          blocked: [to(`settle_${id}`, 'common_data.merges < 1', settle), to('blocked', null, KEEP_PROBLEM)],
          failed: red,
          timeout: red,
          crashed: red,
        },
      },
    ),
    workState(`settle_${id}`, turn(id, 'common_data.say'), always(`merge_${id}`, 'this.common_data.settled = outcome')),
  ];
}

const OUTPUT = `({ winner: common_data.decision?.best ?? null, decision: common_data.decision?.decision ?? null,
  reason: common_data.decision?.reason ?? null, isSynthesis: common_data.decision?.isSynthesis ?? false,
  dissent: common_data.decision?.dissent ?? [], revisions: common_data.revisions, lost: common_data.lost, evidence: common_data.evidence })`;

function ends(): readonly State[] {
  const failure = 'common_data.problem';
  return [
    endState('done', 'ok', { output: OUTPUT }),
    endState('partial', 'partial', { output: OUTPUT, failure }),
    endState('blocked', 'blocked', { output: OUTPUT, failure }),
    endState('unverified', 'failed', { output: OUTPUT, failure }),
    endState('failed', 'failed', { output: OUTPUT, failure }),
  ];
}
