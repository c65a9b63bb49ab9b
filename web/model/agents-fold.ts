import { chargeOf } from '../../src/core/charge.ts';
import type { Activity } from '../../src/core/agent-fact.ts';
import type { Fact, JournalRecord } from '../../src/core/fact.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { addSpent } from '../../src/core/tree-cost.ts';
import { NO_USAGE, type CostUsd, type Usage } from '../../src/core/usage.ts';
import { effectiveRecords } from '../../src/protocol/workflow-state/effective-records.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';

/** What the records of a run tell of an agent, besides what it said. */
export interface AgentRecord {
  readonly agent: string;
  readonly context: string;
  /** In order of their beginning. */
  readonly tasks: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** How its last turn came out; null while it goes on. */
  readonly outcome: Outcome | null;
  readonly models: readonly string[];
  /** The client that plays it, where one does. */
  readonly actor: string | null;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly tools: number;
  /** How many of its turns a fork took over: the run it comes from has paid for them. */
  readonly inherited: number;
  readonly minions: readonly MinionNow[];
  readonly progress: { readonly progress: number; readonly message: string } | null;
}

/** A sub-agent that a client started by itself. */
export interface MinionNow {
  readonly key: string;
  readonly name: string;
  readonly status: Activity['status'];
  readonly text: string;
  readonly usage: Usage | null;
  readonly tools: number;
}

/** The agents of one run that had a turn, in order of their first. */
export const agentRecords = incrementalFold<readonly AgentRecord[]>(() => new AgentFold());

class AgentFold implements Folding<readonly AgentRecord[]> {
  readonly #agents = new Map<string, AgentRecord>();
  readonly #authors = new Map<string, string>();
  #view: readonly AgentRecord[] | null = null;

  take({ fact, at }: JournalRecord, all: () => readonly JournalRecord[]): void {
    if (fact.kind === 'task.started') this.#start(fact, at);
    if (fact.kind === 'run.forked') this.#fork();
    if (fact.kind === 'run.rewound' && fact.state !== null) this.#rewind(all());
    const task = 'task' in fact ? fact.task : null;
    const agent = task === null ? undefined : this.#agents.get(this.#authors.get(task) ?? '');
    if (agent === undefined) return;
    this.#agents.set(agent.agent, { ...agent, lastAt: at, ...changeBy(agent, fact), ...paidBy(agent, fact) });
    this.#view = null;
  }

  get view(): readonly AgentRecord[] {
    return (this.#view ??= [...this.#agents.values()]);
  }

  #start({ task, work }: Extract<Fact, { kind: 'task.started' }>, at: number): void {
    if (work.kind !== 'turn') return;
    this.#authors.set(task, work.agent);
    const known = this.#agents.get(work.agent) ?? {
      ...FRESH,
      agent: work.agent,
      context: work.context,
      firstAt: at,
      lastAt: at,
    };
    this.#agents.set(work.agent, {
      ...known,
      context: work.context,
      tasks: [...known.tasks, task],
      outcome: null,
      progress: null,
    });
  }

  /** What came before was paid by the run it was forked from. */
  #fork(): void {
    for (const [name, agent] of this.#agents)
      this.#agents.set(name, { ...agent, usage: NO_USAGE, costUsd: 0, tools: 0, inherited: endedTurns(agent) });
    this.#view = null;
  }

  /** What was used stays used; how a turn came out that was undone is no word about the agent any more. */
  #rewind(all: readonly JournalRecord[]): void {
    const counting = new AgentFold();
    for (const record of effectiveRecords(all)) if (record.fact.kind !== 'run.rewound') counting.take(record, () => []);
    for (const [name, agent] of this.#agents) {
      const outcome = counting.#agents.get(name)?.outcome ?? null;
      this.#agents.set(name, { ...agent, outcome, progress: null });
    }
    this.#view = null;
  }
}

/** One that goes on is paid for by whoever ends it. */
const endedTurns = ({ tasks, outcome }: AgentRecord): number => tasks.length - (outcome === null ? 1 : 0);

const FRESH = {
  tasks: [],
  outcome: null,
  models: [],
  actor: null,
  usage: NO_USAGE,
  costUsd: 0,
  tools: 0,
  inherited: 0,
  minions: [],
  progress: null,
} as const;

type Change<Kind extends Fact['kind']> = (
  agent: AgentRecord,
  fact: Extract<Fact, { readonly kind: Kind }>,
) => Partial<AgentRecord>;

function changeBy(agent: AgentRecord, fact: Fact): Partial<AgentRecord> {
  const change = CHANGES[fact.kind] as ((agent: AgentRecord, fact: Fact) => Partial<AgentRecord>) | undefined;
  return change?.(agent, fact) ?? {};
}

const CHANGES: { readonly [Kind in Fact['kind']]?: Change<Kind> } = {
  'call.answered': (agent, { model, message }) => ({
    models: [...new Set([...agent.models, model])],
    tools: agent.tools + (message.toolCalls?.length ?? 0),
  }),
  'session.noted': (_agent, { actor }) => ({ actor }),
  'activity.noted': (agent, { task, items }) => {
    let known = agent;
    for (const item of items) known = did(known, task, item);
    return { tools: known.tools, minions: known.minions };
  },
  'progress.noted': (_agent, { progress, message }) => ({ progress: { progress, message } }),
  'task.ended': (_agent, { outcome }) => ({ outcome }),
};

/** What its sub-agents spent stands with them: they are runs with agents of their own. */
function paidBy({ usage, costUsd }: AgentRecord, fact: Fact): Partial<AgentRecord> {
  const charge = chargeOf(fact);
  return charge === null || charge.isOfChild ? {} : addSpent({ usage, costUsd }, charge);
}

function did(agent: AgentRecord, task: string, item: Activity): AgentRecord {
  if (item.kind === 'minion') return { ...agent, minions: withMinion(agent.minions, `${task} ${item.id}`, item) };
  // Each tool is told when it begins, and once more when it is over.
  if (item.kind !== 'tool' || item.status === 'running') return agent;
  if (item.parent === undefined) return { ...agent, tools: agent.tools + 1 };
  const parent = `${task} ${item.parent}`;
  return {
    ...agent,
    minions: agent.minions.map((one) => (one.key === parent ? { ...one, tools: one.tools + 1 } : one)),
  };
}

function withMinion(
  minions: readonly MinionNow[],
  key: string,
  { name, status, text, usage }: Activity,
): readonly MinionNow[] {
  const known = minions.find((one) => one.key === key) ?? { key, text: '', usage: null, tools: 0 };
  const now: MinionNow = { ...known, name, status, text: text ?? known.text, usage: usage ?? known.usage };
  return minions.some((one) => one.key === key)
    ? minions.map((one) => (one.key === key ? now : one))
    : [...minions, now];
}
