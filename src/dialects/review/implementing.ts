import type { State } from '../../core/workflow.ts';
import { to, workState } from '../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, compute, forEach, HAS_COMMAND, LOST, UNITS_NOW, together, turn } from './review-works.ts';
import { ASK_AFTER_ALL, NOT_RUN } from './trying-command.ts';

/** Everybody implements at the same time; what the engine sees of it is packed for the reviewers (PD1, PD2). */
export function implementing(plan: ReviewPlan): readonly State[] {
  const { implementers, quorum, timeoutMs } = plan;
  const units = implementers.map(({ id }) => ({
    id,
    after: [],
    work: { ...turn(id, 'common_data.say'), changes: {} },
  }));
  return [
    opened(plan),
    workState('implement', together(units, quorum), { ...always('implemented', GATHER), timeoutMs }),
    workState(
      'implemented',
      { kind: 'none' },
      {
        transitions: [
          to('failed', `common_data.alive.length < ${quorum}`, tooFew(plan)),
          to('verify', HAS_COMMAND),
          to('pack'),
        ],
      },
    ),
    verified(plan),
    workState(
      'verified',
      { kind: 'none' },
      {
        transitions: [
          to('touched', 'common_data.revisions > 0'),
          to('ask_verify', 'common_data.nowhere', ASK_AFTER_ALL),
          to('pack'),
        ],
      },
    ),
    packed(plan),
  ];
}

const BEGIN = `() => {
  const d = this.common_data;
  d.ledger = result.ledger;
  d.say = '# The task\\n\\n' + d.task + (d.verify ? '\\n\\n# Test command\\n\\nWhen you are done the engine runs: ' + d.verify : '');
}`;

const GATHER = `() => {
  const d = this.common_data;
  const units = result?.units ?? [];
  d.alive = units.filter((one) => one.outcome === 'ok').map((one) => one.id);
  d.lost = units.filter((one) => one.outcome !== 'ok').map((one) => ({ id: one.id, outcome: one.outcome, reason: one.reason }));
  d.todo = d.alive;
  d.units = d.alive.map((id) => ({ id }));
}`;

const tooFew = ({ implementers, quorum }: ReviewPlan): string => `() => {
  const d = this.common_data;
  d.problem = { code: 'QUORUM_MISSED', message: d.alive.length + ' of ${implementers.length} implementations came out well, ${quorum} were needed: '
    + d.lost.map((one) => one.id + ' ' + one.outcome + (one.reason === null ? '' : ' (' + one.reason + ')')).join('; ') };
}`;

function opened({ implementers, reviewers, maxRounds }: ReviewPlan): State {
  const names = (list: ReviewPlan['reviewers']) => JSON.stringify(list.map(({ id }) => id));
  const input = `({ reviewers: ${names(reviewers)}, implementations: ${names(implementers)}, maxRounds: ${maxRounds} })`;
  return workState('open', compute('review.open', input), {
    transitions: [to('implement', null, BEGIN)],
    on: LOST,
  });
}

/** The user's own command, with the user's own copy of what it is made of. */
function verified({ protect, implementers }: ReviewPlan): State {
  const input = `({ id: item.id, agent: item.id, command: common_data.verify, protect: ${JSON.stringify(protect)} })`;
  const keep = `() => {
    const d = this.common_data;
    for (const one of result?.units ?? []) {
      d.evidence[one.id] = one.output ?? { isGreen: false, exitCode: null, output: one.reason ?? '', tampered: [] };
    }
    d.nowhere = d.todo.every((id) => ${NOT_RUN});
  }`;
  return workState(
    'verify',
    forEach(UNITS_NOW, compute('review.verify', input), implementers.length),
    always('verified', keep),
  );
}

function packed({ reviewers }: ReviewPlan): State {
  const input = `({
    implementations: common_data.todo.map((id) => ({ id, agent: id, evidence: common_data.evidence[id] ?? null })),
    task: common_data.task, since: common_data.revisions > 0 ? common_data.trees : null, agent: ${JSON.stringify(reviewers[0]?.id ?? '')} })`;
  const keep = 'this.common_data.pack = result';
  return workState('pack', compute('review.pack', input), {
    transitions: [to('reopen', 'common_data.revisions > 0', keep), to('review', null, keep)],
    on: LOST,
  });
}
