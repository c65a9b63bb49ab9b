import type { State } from '../../../core/model/workflow.ts';
import { code, endState, to, workState } from '../../../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, compute, forEach, HAS_COMMAND, LOST, together, turn, UNITS_NOW } from './review-works.ts';

/**
 * The user's command on the untouched project, before anybody is paid: red is nothing new, since the work is yet to be done, but
 * one that cannot be run at all would make all of it red. What to do then is the person's to say.
 */
export function tryingCommand(): readonly State[] {
  const said = "String(result ?? '').trim().toLowerCase()";
  const stopped = `this.common_data.problem = { code: 'VERIFY_UNUSABLE', hint: ${HAS_IMPLEMENTED} ? ${KEPT} : ${ANEW},
    message: 'The command cannot be run, so a person stopped it. ' + common_data.unusable.why }`;
  return [
    workState(
      'start',
      { kind: 'none' },
      {
        transitions: [to('try_verify', HAS_COMMAND), to('open')],
      },
    ),
    workState('try_verify', compute('review.try', '({ command: common_data.verify })'), {
      transitions: [
        to('ask_verify', 'result.isUnusable', ASK),
        to('open', 'result.isNone', "this.common_data.verify = ''"),
        to('open'),
      ],
      on: LOST,
    }),
    workState(
      'ask_verify',
      { kind: 'ask', question: code('common_data.question'), choices: [], approves: 'as-answered' },
      {
        transitions: [
          to('ask_verify', `${said} === ''`),
          to('unusable', `${said} === 'stop'`, stopped),
          to('go_on', `${said} === 'keep'`),
          to('go_on', `${said} === 'without'`, "this.common_data.verify = ''; this.common_data.evidence = {}"),
          to('verify', HAS_IMPLEMENTED, OTHER),
          to('try_verify', null, OTHER),
        ],
      },
    ),
    workState('go_on', { kind: 'none' }, { transitions: [to('pack', HAS_IMPLEMENTED), to('open')] }),
    endState('unusable', 'failed', { output: 'null', failure: 'common_data.problem' }),
  ];
}

const HAS_IMPLEMENTED = 'common_data.alive.length > 0';

const ANEW = "'Mend the command, or what it needs, and start anew.'";

/** What was made was paid for. */
const KEPT = `'The implementations are kept. Mend the command, or what it needs, and be asked again: '
  + 'troupe rollback RUN --to ask_verify, then troupe resume RUN'`;

const OTHER = 'this.common_data.verify = String(result).trim()';

const WAYS = `'Answer with another command; "keep" where it is the work itself that brings what is missing; '
  + '"without" to go on without evidence; or "stop".'`;

const ASK = `() => {
  const d = this.common_data;
  d.unusable = result;
  d.question = 'The command that is to show whether it works cannot be run: ' + result.why + '\\nNobody was set to work yet. ' + ${WAYS};
}`;

/** By the same rule as before the work. */
const NOT_RUN = 'd.evidence[id]?.isUnusable === true';

/** After the implementing: in no workspace could it be run. */
const ASK_AFTER_ALL = `() => {
  const d = this.common_data;
  const one = d.evidence[d.alive[0]];
  d.unusable = { why: '\`' + d.verify + '\` ended with exit code ' + one.exitCode + '.' + (one.output === '' ? '' : '\\n' + one.output.slice(-600)) };
  d.question = 'The command could not be run on any of the ' + d.alive.length + ' implementations: ' + d.unusable.why
    + '\\nNo reviewer was asked yet. ' + ${WAYS};
}`;

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
