import type { SingleWork, State } from '../../../core/model/workflow.ts';
import { code, to, workState } from '../../../source/model-parts.ts';
import { type ReviewPlan, SYNTHESISER } from './review-plan.ts';
import {
  always,
  choose,
  compute,
  forEach,
  handIn,
  HAS_COMMAND,
  LOST,
  NEXT_SPEAKER,
  together,
  turn,
  UNITS_NOW,
} from './review-works.ts';

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

/** Whoever was chosen goes on in its own session and files with what stands against it; then its changes are looked at (PD6). */
export function revising({ implementers, finalRounds, timeoutMs }: ReviewPlan): readonly State[] {
  const cases: Readonly<Record<string, SingleWork>> = Object.fromEntries(
    implementers.map(({ id }) => [id, turn(id, 'common_data.orders[item.id]')]),
  );
  const work = forEach(UNITS_NOW, choose('item.id', cases), implementers.length);
  return [
    ordered(),
    workState('revise', work, { ...always('revised', REVISED), timeoutMs }),
    workState(
      'revised',
      { kind: 'none' },
      {
        transitions: [to('verify', HAS_COMMAND), to('touched')],
      },
    ),
    touched(),
    reopened(finalRounds),
  ];
}

/** What a person or a synthesis said was about the work as it was before. */
const REVISED = `this.common_data.revisions = common_data.revisions + 1; this.common_data.touched = {};
  this.common_data.asked = null; this.common_data.synthesis = null; this.common_data.unmixed = ''`;

function ordered(): State {
  const input = "({ ledger: 'ledger', chosen: common_data.decision.chosen, evidence: common_data.evidence })";
  const keep = `this.common_data.orders = result.orders; this.common_data.trees = result.trees;
    this.common_data.todo = common_data.decision.chosen; this.common_data.units = result.units`;
  return workState('orders', compute('review.orders', input), { transitions: [to('revise', null, keep)], on: LOST });
}

function touched(): State {
  const input = "({ id: item.id, agent: item.id, since: common_data.trees[item.id], ledger: 'ledger' })";
  const keep = `() => {
    const d = this.common_data;
    for (const one of result?.units ?? []) if (one.output) d.touched[one.id] = one.output;
  }`;
  return workState('touched', forEach(UNITS_NOW, compute('review.touched', input), 2), always('pack', keep));
}

function reopened(finalRounds: number): State {
  const input = `({ ledger: 'ledger', pack: 'pack', chosen: common_data.todo, maxRounds: ${finalRounds}, touched: common_data.touched })`;
  const keep = 'this.common_data.ledger = result.ledger';
  return workState('reopen', compute('review.reopen', input), {
    transitions: [to('decide', 'result.next === null', keep), to('debate', null, `${keep}; ${NEXT_SPEAKER}`)],
    on: LOST,
  });
}

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
