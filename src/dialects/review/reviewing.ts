import type { SingleWork, State } from '../../core/workflow.ts';
import { to, workState } from '../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, choose, compute, handIn, LOST, NEXT_SPEAKER, together } from './review-works.ts';

/** First reviews without knowing of each other, then one turn after the other until it converges (PD3, PD4). */
export function reviewing({ reviewers, reviewTimeoutMs: timeoutMs }: ReviewPlan): readonly State[] {
  const units = reviewers.map(({ id }) => ({ id, after: [], work: handIn(id, FIRST, REVIEW_TOOL) }));
  const debated: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    reviewers.map(({ id }) => [id, handIn(id, SAID, POSITION_TOOL)]),
  );
  return [
    workState('review', together(units, 1), { ...always('take', REVIEWED), timeoutMs }),
    taken(),
    workState('debate', choose('common_data.speaker', debated), { ...always('take', SPOKEN), timeoutMs }),
  ];
}

const REVIEW_TOOL = 'hand_in_review';
const POSITION_TOOL = 'hand_in_position';

const FIRST = `common_data.pack.text + '\\n\\n# Your order\\n\\nReview every implementation independently; the other reviewers do the same, and you do not see their reviews. '
  + 'Read every hunk, and open the files where the diff is not enough. Hand in with \`hand_in_review\`, once, as your last action.'`;

/** After a revision everybody first sees what was revised. */
const SAID = "(common_data.isNew ? common_data.pack.text + '\\n\\n' : '') + common_data.say";

const REVIEWED = `() => {
  const d = this.common_data;
  d.queue = (result?.units ?? []).map((one) => one.outcome === 'ok'
    ? { reviewer: one.id, kind: 'review', calls: ${callsOf('one.id')}, text: ${textOf('one.id')}, failed: null }
    : { reviewer: one.id, kind: 'review', calls: [], text: '', failed: one.reason ?? one.outcome });
}`;

// Plain assignments: a script of any other kind costs a start of the isolate and a write to the disk in every turn of a debate.
const SPOKEN = `this.common_data.queue = [outcome === 'ok'
    ? { reviewer: common_data.speaker, kind: 'position', calls: ${callsOf('common_data.speaker')}, text: ${textOf('common_data.speaker')}, failed: null }
    : { reviewer: common_data.speaker, kind: 'position', calls: [], text: '', failed: failure?.message ?? outcome }]`;

function callsOf(id: string): string {
  return `this.agents.get(${id}).getParsingToolCalls()`;
}

function textOf(id: string): string {
  return `this.agents.get(${id}).getLastResponse()`;
}

/** What was handed in goes into the ledger. */
function taken(): State {
  // The ledger and the pack by their names: they are long, and would be written down again with every position.
  const of = (key: string): string => `${key}: common_data.queue[0].${key}`;
  const said = ['reviewer', 'kind', 'calls', 'text', 'failed'].map(of).join(', ');
  const input = `({ ledger: 'ledger', pack: 'pack', ${said} })`;
  const keep = 'this.common_data.ledger = result.ledger; this.common_data.queue = common_data.queue.slice(1)';
  return workState('take', compute('review.take', input), {
    transitions: [
      to('take', 'common_data.queue.length > 1', keep),
      to('debate', "result.convergence.kind === 'open' && result.next !== null", `${keep}; ${NEXT_SPEAKER}`),
      to('decide', null, keep),
    ],
    on: LOST,
  });
}
