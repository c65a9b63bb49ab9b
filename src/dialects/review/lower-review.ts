import type { JsonObject } from '../../core/json.ts';
import {
  DEFAULT_LIMITS,
  type Cast,
  type PoolUnit,
  type SingleWork,
  type State,
  type TurnWork,
  type Work,
  type Workflow,
} from '../../core/workflow.ts';
import { code, endState, script, to, workState } from '../source/model-parts.ts';
import type { PlacedAgent } from '../source/placed-agent.ts';
import type { ReviewPlan } from './review-plan.ts';

/** Many implement, some review, all of it in one run: whoever revises does so in its own session and its own files (PD6). */
export function lowerReview(plan: ReviewPlan): Workflow {
  const states = [
    ...implementing(plan),
    ...reviewing(plan),
    ...deciding(plan),
    ...revising(plan),
    ...merging(plan),
    ...ends(),
  ];
  return {
    name: plan.name,
    description: plan.description,
    dialect: 'review',
    inputs: [
      { name: 'task', type: 'string', description: 'What is to be made, in your own words', required: true },
      { name: 'verify', type: 'string', description: 'A command that shows whether it works', required: false },
    ],
    output: null,
    data: { ...DATA, verify: plan.verify },
    contexts: everybody(plan).map(({ id }) => ({ name: id, startingMessages: [], maxLength: 400_000 })),
    agents: agentsOf(plan),
    start: 'start',
    states: Object.fromEntries(states.map((state) => [state.name, state])),
    limits: { ...DEFAULT_LIMITS, iterations: 1000 },
    ...(plan.file === undefined ? {} : { file: plan.file }),
    casts: castsOf(plan),
  };
}

const DATA: JsonObject = {
  ledger: null,
  alive: [],
  lost: [],
  todo: [],
  evidence: {},
  pack: null,
  queue: [],
  second: false,
  speaker: '',
  say: '',
  decision: null,
  asked: null,
  synthesis: null,
  orders: {},
  trees: {},
  touched: {},
  revisions: 0,
  merges: 0,
  problem: null,
};

/** Brings together what reviewers do not agree on; and the files that come of several. */
const SYNTHESISER = 'synthesiser';
const HYBRID = 'hybrid';

const everybody = ({ implementers, reviewers }: ReviewPlan) => [
  ...implementers,
  ...reviewers,
  { id: SYNTHESISER },
  { id: HYBRID },
];

function agentsOf({ implementers, reviewers, file }: ReviewPlan): readonly PlacedAgent[] {
  const first = reviewers[0];
  const base = { side: 'assistant' as const };
  const who = [
    ...implementers.map((one) => ({
      ...base,
      name: one.id,
      role: one.id,
      context: one.id,
      workspace: 'own',
      mind: one,
    })),
    ...reviewers.map((one) => ({
      ...base,
      name: one.id,
      role: one.id,
      context: one.id,
      workspace: 'review',
      mind: one,
    })),
    { ...base, name: SYNTHESISER, role: SYNTHESISER, context: SYNTHESISER, workspace: 'review', mind: first },
    { ...base, name: HYBRID, role: HYBRID, context: HYBRID, workspace: 'own', mind: undefined },
  ];
  return who.map(({ mind, ...agent }) => ({
    ...agent,
    ...(mind?.actor === undefined ? {} : { actor: mind.actor }),
    ...(mind?.at === undefined || file === undefined ? {} : { at: mind.at }),
  }));
}

function castsOf({ implementers, reviewers }: ReviewPlan): Readonly<Record<string, Cast>> {
  const casts = [
    ...implementers.map((one) => [one.id, { of: one.role ?? 'implementer', change: levelOf(one.model) }] as const),
    ...reviewers.map((one) => [one.id, { of: one.role ?? 'peer_reviewer', change: levelOf(one.model) }] as const),
    [SYNTHESISER, { of: 'synthesiser', change: levelOf(reviewers[0]?.model) }] as const,
    [HYBRID, { of: 'implementer', change: {} }] as const,
  ];
  return Object.fromEntries(casts);
}

const levelOf = (model: string | undefined) => (model === undefined ? {} : { level: model });

const turn = (agent: string, input: string): TurnWork => ({ kind: 'turn', agent, mode: 'ask', input: code(input) });

const compute = (program: string, input: string): SingleWork => ({ kind: 'compute', program, input: code(input) });

const pool = (list: readonly PoolUnit[], count: number): Work => ({
  kind: 'pool',
  units: { kind: 'fixed', list },
  slots: Math.max(1, list.length),
  join: { rule: 'quorum', count },
  grow: null,
});

const each = (items: string, work: SingleWork | Work, slots: number): Work => ({
  kind: 'pool',
  units: { kind: 'items', items: code(items), work: work as SingleWork },
  slots,
  join: { rule: 'any' },
  grow: null,
});

const choose = (by: string, cases: Readonly<Record<string, SingleWork>>): Work => ({
  kind: 'choice',
  by: code(by),
  cases,
});

const BAD = ['failed', 'crashed', 'timeout', 'blocked', 'partial'] as const;

/** However it came out. */
const always = (target: string, assign: string) => ({
  transitions: [to(target, null, assign)],
  on: Object.fromEntries(BAD.map((outcome) => [outcome, [to(target, null, assign)]])),
});

const KEEP_PROBLEM = 'this.common_data.problem = failure';
const lost = { failed: [to('failed', null, KEEP_PROBLEM)], crashed: [to('failed', null, KEEP_PROBLEM)] };

function implementing(plan: ReviewPlan): readonly State[] {
  const { implementers, reviewers, quorum, maxRounds, timeoutMs } = plan;
  const ids = JSON.stringify(implementers.map(({ id }) => id));
  const units = implementers.map(({ id }) => ({ id, after: [], work: turn(id, 'common_data.say') }));
  const gather = `() => {
    const d = this.common_data;
    const units = result?.units ?? [];
    d.alive = units.filter((one) => one.outcome === 'ok').map((one) => one.id);
    d.lost = units.filter((one) => one.outcome !== 'ok').map((one) => ({ id: one.id, outcome: one.outcome, reason: one.reason }));
    d.todo = d.alive;
  }`;
  const few = `() => {
    const d = this.common_data;
    d.problem = { code: 'QUORUM_MISSED', message: d.alive.length + ' of ${implementers.length} implementations came out well, ${quorum} were needed: '
      + d.lost.map((one) => one.id + ' ' + one.outcome + (one.reason === null ? '' : ' (' + one.reason + ')')).join('; ') };
  }`;
  return [
    workState(
      'start',
      { kind: 'none' },
      {
        enter: script(`() => {
        const d = this.common_data;
        d.say = d.task + (d.verify ? '\\n\\nWhen you are done the engine runs: ' + d.verify : '');
      }`),
        transitions: [to('open')],
      },
    ),
    workState(
      'open',
      compute(
        'review.open',
        `({ reviewers: ${JSON.stringify(reviewers.map(({ id }) => id))}, implementations: ${ids}, maxRounds: ${maxRounds} })`,
      ),
      {
        transitions: [to('implement', null, 'this.common_data.ledger = result.ledger')],
        on: lost,
      },
    ),
    workState('implement', pool(units, quorum), { ...always('implemented', gather), timeoutMs }),
    workState(
      'implemented',
      { kind: 'none' },
      {
        transitions: [
          to('failed', `common_data.alive.length < ${quorum}`, few),
          to('verify', "(common_data.verify ?? '') !== ''"),
          to('pack'),
        ],
      },
    ),
    workState(
      'verify',
      each(
        'common_data.todo',
        compute(
          'review.verify',
          `({ id: item, agent: item, command: common_data.verify, protect: ${JSON.stringify(plan.protect)} })`,
        ),
        2,
      ),
      always(
        'verified',
        `() => {
        const d = this.common_data;
        for (const one of result?.units ?? []) d.evidence[one.id] = one.output ?? { isGreen: false, output: one.reason };
      }`,
      ),
    ),
    workState(
      'verified',
      { kind: 'none' },
      {
        transitions: [to('touched', 'common_data.revisions > 0'), to('pack')],
      },
    ),
    workState(
      'pack',
      compute(
        'review.pack',
        `({
      implementations: common_data.todo.map((id) => ({ id, agent: id, evidence: common_data.evidence[id] ?? null })),
      task: common_data.task, since: common_data.revisions > 0 ? common_data.trees : null, agent: ${JSON.stringify(reviewers[0]?.id ?? '')} })`,
      ),
      {
        transitions: [
          to('reopen', 'common_data.revisions > 0', 'this.common_data.pack = result'),
          to('review', null, 'this.common_data.pack = result'),
        ],
        on: lost,
      },
    ),
  ];
}

function reviewing({ reviewers, reviewTimeoutMs }: ReviewPlan): readonly State[] {
  const first =
    "common_data.pack.text + '\\n\\nReview every implementation by yourself; the others do the same and you do not see theirs. Look into the files where the pack is not enough. Hand it in with hand_in_review.'";
  const units = reviewers.map(({ id }) => ({ id, after: [], work: turn(id, first) }));
  const heard = (id: string) => `this.agents.get(${id}).getParsingToolCalls().map((call) => call.function)`;
  const gather = `() => {
    const d = this.common_data;
    d.second = false;
    d.queue = (result?.units ?? []).map((one) => one.outcome === 'ok'
      ? { reviewer: one.id, kind: 'review', calls: ${heard('one.id')}, text: this.agents.get(one.id).getLastResponse(), failed: null }
      : { reviewer: one.id, kind: 'review', calls: [], text: '', failed: one.reason ?? one.outcome });
  }`;
  const spoken = `() => {
    const d = this.common_data;
    d.second = false;
    d.queue = [outcome === 'ok'
      ? { reviewer: d.speaker, kind: 'position', calls: ${heard('d.speaker')}, text: this.agents.get(d.speaker).getLastResponse(), failed: null }
      : { reviewer: d.speaker, kind: 'position', calls: [], text: '', failed: failure?.message ?? outcome }];
  }`;
  const mended = `() => {
    const d = this.common_data;
    const [one] = d.queue;
    d.second = true;
    d.queue[0] = outcome === 'ok'
      ? { ...one, calls: ${heard('one.reviewer')}, text: this.agents.get(one.reviewer).getLastResponse() }
      : { ...one, failed: failure?.message ?? outcome };
  }`;
  const cases = (input: string) => Object.fromEntries(reviewers.map(({ id }) => [id, turn(id, input) as SingleWork]));
  const taken =
    'this.common_data.ledger = result.ledger; this.common_data.second = false; this.common_data.queue = common_data.queue.slice(1)';
  const timeoutMs = reviewTimeoutMs;
  return [
    workState('review', pool(units, 1), { ...always('take', gather), timeoutMs }),
    workState(
      'take',
      compute(
        'review.take',
        '({ ledger: common_data.ledger, ...common_data.queue[0], pack: common_data.pack, isSecond: common_data.second })',
      ),
      {
        transitions: [
          to('again', '!result.isTaken', 'this.common_data.say = result.say; this.common_data.ledger = result.ledger'),
          to('take', 'common_data.queue.length > 1', taken),
          to(
            'debate',
            "result.convergence.kind === 'open' && result.next !== null",
            `${taken}; this.common_data.speaker = result.next.speaker; this.common_data.say = result.next.say`,
          ),
          to('decide', null, taken),
        ],
        on: lost,
      },
    ),
    workState('again', choose('common_data.queue[0].reviewer', cases('common_data.say')), {
      ...always('take', mended),
      timeoutMs,
    }),
    workState('debate', choose('common_data.speaker', cases('common_data.say')), {
      ...always('take', spoken),
      timeoutMs,
    }),
  ];
}

function deciding({ pick, maxRevisions }: ReviewPlan): readonly State[] {
  const decided = 'this.common_data.decision = result';
  return [
    workState(
      'decide',
      compute(
        'review.decide',
        `({ ledger: common_data.ledger, pick: ${JSON.stringify(pick)}, evidence: common_data.evidence, asked: common_data.asked, synthesis: common_data.synthesis })`,
      ),
      {
        transitions: [
          to('ask', "result.needs === 'person'", decided),
          to('synthesise', "result.needs === 'synthesis'", `${decided}; this.common_data.say = result.say`),
          to('hybrid', "result.decision === 'APPROVE' && (result.parts ?? []).length > 1", decided),
          to('merge', "result.decision === 'APPROVE'", decided),
          to(
            'merge',
            `common_data.revisions >= ${maxRevisions}`,
            `${decided}; this.common_data.problem = { code: 'REVISIONS_USED', message: 'After ${maxRevisions} revisions the reviewers still want changes: ' + result.reason, hint: 'The best so far is kept. See what is open: troupe debate RUN' }`,
          ),
          to('orders', null, decided),
        ],
        on: lost,
      },
    ),
    workState(
      'ask',
      { kind: 'ask', question: code('common_data.decision.question'), choices: [] },
      {
        transitions: [to('decide', null, 'this.common_data.asked = result')],
      },
    ),
    workState(
      'synthesise',
      turn(SYNTHESISER, 'common_data.say'),
      always(
        'decide',
        `() => {
      const d = this.common_data;
      const call = outcome === 'ok' ? this.agents.get('${SYNTHESISER}').getParsingToolCalls()[0]?.function : undefined;
      d.synthesis = call?.arguments ?? { failed: failure?.message ?? 'It gave no synthesis.' };
    }`,
      ),
    ),
  ];
}

function revising(plan: ReviewPlan): readonly State[] {
  const { implementers, finalRounds, timeoutMs } = plan;
  const cases = Object.fromEntries(
    implementers.map(({ id }) => [id, turn(id, 'common_data.orders[item]') as SingleWork]),
  );
  const revised = `() => {
    const d = this.common_data;
    const units = (result?.units ?? []).map((one) => ({ ...one, name: d.todo[Number(one.id)] ?? one.id }));
    d.revisions = d.revisions + 1;
    d.touched = {};
  }`;
  return [
    workState(
      'orders',
      compute(
        'review.orders',
        '({ ledger: common_data.ledger, chosen: common_data.decision.chosen, evidence: common_data.evidence })',
      ),
      {
        transitions: [
          to(
            'revise',
            null,
            'this.common_data.orders = result.orders; this.common_data.trees = result.trees; this.common_data.todo = common_data.decision.chosen',
          ),
        ],
        on: lost,
      },
    ),
    workState('revise', each('common_data.todo', choose('item', cases), implementers.length), {
      ...always('revised', revised),
      timeoutMs,
    }),
    workState(
      'revised',
      { kind: 'none' },
      {
        transitions: [to('verify', "(common_data.verify ?? '') !== ''"), to('touched')],
      },
    ),
    workState(
      'touched',
      each(
        'common_data.todo',
        compute(
          'review.touched',
          '({ id: item, agent: item, since: common_data.trees[item], ledger: common_data.ledger })',
        ),
        2,
      ),
      always(
        'pack',
        `() => {
      const d = this.common_data;
      for (const one of result?.units ?? []) if (one.output) d.touched[one.output.id] = one.output;
    }`,
      ),
    ),
    workState(
      'reopen',
      compute(
        'review.reopen',
        `({ ledger: common_data.ledger, chosen: common_data.todo, maxRounds: ${finalRounds}, touched: common_data.touched, pack: common_data.pack })`,
      ),
      {
        transitions: [
          to('decide', 'result.next === null', 'this.common_data.ledger = result.ledger'),
          to(
            'debate',
            null,
            'this.common_data.ledger = result.ledger; this.common_data.speaker = result.next.speaker; this.common_data.say = result.next.say',
          ),
        ],
        on: lost,
      },
    ),
  ];
}

/** The winner's files come home when the command succeeds on them; nobody else's do (PD7). */
function merging({ implementers }: ReviewPlan): readonly State[] {
  const ids = [...implementers.map(({ id }) => id), HYBRID];
  const home = (id: string): readonly State[] => [
    workState(
      `merge_${id}`,
      { kind: 'merge', agent: id, verify: code("(common_data.verify ?? '') === '' ? 'true' : common_data.verify") },
      {
        transitions: [to('done', 'common_data.problem === null'), to('partial')],
        on: {
          blocked: [
            to(
              `settle_${id}`,
              'common_data.merges < 1',
              'this.common_data.merges = common_data.merges + 1; this.common_data.say = result.advice',
            ),
            to('blocked', null, KEEP_PROBLEM),
          ],
          failed: [to('unverified', null, KEEP_PROBLEM)],
          timeout: [to('unverified', null, KEEP_PROBLEM)],
          crashed: [to('unverified', null, KEEP_PROBLEM)],
        },
      },
    ),
    workState(
      `settle_${id}`,
      turn(id, 'common_data.say'),
      always(`merge_${id}`, 'this.common_data.say = common_data.say'),
    ),
  ];
  return [
    workState('hybrid', compute('review.hybrid', `({ parts: common_data.decision.parts, agent: '${HYBRID}' })`), {
      transitions: [to(`merge_${HYBRID}`)],
      on: { failed: [to('merge', null, 'this.common_data.decision.mixed = failure')], crashed: [to('merge')] },
    }),
    workState(
      'merge',
      { kind: 'none' },
      {
        transitions: [
          ...ids.map((id) => to(`merge_${id}`, `common_data.decision.best === ${JSON.stringify(id)}`)),
          to(
            'failed',
            null,
            "this.common_data.problem = { code: 'NO_WINNER', message: 'Nobody was found best: ' + common_data.decision.reason }",
          ),
        ],
      },
    ),
    ...ids.flatMap(home),
  ];
}

const OUTPUT = `({ winner: common_data.decision?.best ?? null, decision: common_data.decision?.decision ?? null, reason: common_data.decision?.reason ?? null,
  isSynthesis: common_data.decision?.isSynthesis ?? false, dissent: common_data.decision?.dissent ?? [], revisions: common_data.revisions,
  lost: common_data.lost, evidence: common_data.evidence })`;

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
