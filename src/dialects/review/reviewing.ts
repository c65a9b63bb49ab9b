import type { SingleWork, State } from '../../core/workflow.ts';
import { to, workState } from '../source/model-parts.ts';
import type { ReviewPlan } from './review-plan.ts';
import { always, choose, compute, LOST, together, turn } from './review-works.ts';

/** First reviews without knowing of each other, then one turn after the other until it converges (PD3, PD4). */
export function reviewing({ reviewers, reviewTimeoutMs: timeoutMs }: ReviewPlan): readonly State[] {
  const units = reviewers.map(({ id }) => ({ id, after: [], work: turn(id, FIRST) }));
  const cases: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    reviewers.map(({ id }) => [id, turn(id, 'common_data.say')]),
  );
  return [
    workState('review', together(units, 1), { ...always('take', REVIEWED), timeoutMs }),
    taken(),
    workState('again', choose('common_data.queue[0].reviewer', cases), { ...always('take', MENDED), timeoutMs }),
    workState('debate', choose('common_data.speaker', cases), { ...always('take', SPOKEN), timeoutMs }),
  ];
}

const FIRST = `common_data.pack.text + '\\n\\nReview every implementation by yourself; the others do the same, and you do not see theirs. '
  + 'Look into the files where the pack is not enough. Hand it in with hand_in_review.'`;

const heard = (id: string): string => `this.agents.get(${id}).getParsingToolCalls().map((call) => call.function)`;

const REVIEWED = `() => {
  const d = this.common_data;
  d.second = false;
  d.queue = (result?.units ?? []).map((one) => one.outcome === 'ok'
    ? { reviewer: one.id, kind: 'review', calls: ${heard('one.id')}, text: this.agents.get(one.id).getLastResponse(), failed: null }
    : { reviewer: one.id, kind: 'review', calls: [], text: '', failed: one.reason ?? one.outcome });
}`;

const SPOKEN = `() => {
  const d = this.common_data;
  d.second = false;
  d.queue = [outcome === 'ok'
    ? { reviewer: d.speaker, kind: 'position', calls: ${heard('d.speaker')}, text: this.agents.get(d.speaker).getLastResponse(), failed: null }
    : { reviewer: d.speaker, kind: 'position', calls: [], text: '', failed: failure?.message ?? outcome }];
}`;

const MENDED = `() => {
  const d = this.common_data;
  const [one] = d.queue;
  d.second = true;
  d.queue[0] = outcome === 'ok'
    ? { ...one, calls: ${heard('one.reviewer')}, text: this.agents.get(one.reviewer).getLastResponse() }
    : { ...one, failed: failure?.message ?? outcome };
}`;

/** What was handed in goes into the ledger; what does not hold is sent back once. */
function taken(): State {
  // The words of the first pack were said to all of them, and are long: they are not written down again with every position.
  const input = `({ ledger: common_data.ledger, ...common_data.queue[0], isSecond: common_data.second,
    pack: common_data.revisions > 0 ? common_data.pack : { ...common_data.pack, text: '' } })`;
  const keep =
    'this.common_data.ledger = result.ledger; this.common_data.second = false; this.common_data.queue = common_data.queue.slice(1)';
  const next = 'this.common_data.speaker = result.next.speaker; this.common_data.say = result.next.say';
  return workState('take', compute('review.take', input), {
    transitions: [
      to('again', '!result.isTaken', 'this.common_data.say = result.say; this.common_data.ledger = result.ledger'),
      to('take', 'common_data.queue.length > 1', keep),
      to('debate', "result.convergence.kind === 'open' && result.next !== null", `${keep}; ${next}`),
      to('decide', null, keep),
    ],
    on: LOST,
  });
}
