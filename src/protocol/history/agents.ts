import type { Activity, SessionNoted } from '../../core/record/agent-fact.ts';
import type { ProgressNoted } from '../../core/record/artifact-fact.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { ToolFinished } from '../../core/record/call-fact.ts';
import type { TaskEnded } from '../../core/record/task-fact.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import { addSpent, NOTHING_SPENT } from '../../core/fold/tree-cost.ts';
import type { CostUsd, Usage } from '../../core/model/usage.ts';
import { Rows, takeWith, type Takers } from './rows.ts';
import type { KnownTask, TaskBook } from './task-book.ts';

/** The facts in a run's records about an agent that had a turn, besides its text. */
export interface AgentRecord {
  readonly agent: string;
  readonly context: string;
  /** Its turns, in order of their beginning. */
  readonly tasks: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** Outcome of its last turn; null while the turn runs or after it was undone. */
  readonly outcome: Outcome | null;
  /** Why it is in error: its turn failed, or a required output is missing although the turn succeeded (L4). */
  readonly code: string | null;
  readonly isMissing: boolean;
  /** Time at work in turns that have ended; null before the first end. */
  readonly ms: number | null;
  readonly models: readonly string[];
  /** Includes failed and undone work, but not the work before a fork: the original run paid for that. */
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  /** How many tools it called or used itself, without those of its sub-agents; for a fork, since the fork. */
  readonly tools: number;
  /** By name, without what it was not let do. */
  readonly toolNames: readonly string[];
  readonly artifacts: readonly string[];
  /** How many of its turns a fork took over. */
  readonly inherited: number;
  readonly progress: Pick<ProgressNoted, 'progress' | 'message'> | null;
  /** The client that plays it, where one does. */
  readonly actor: string | null;
  readonly client: ClientRecord | null;
  readonly minions: readonly SubAgentHistory[];
}

/** Only for agents that are programs. */
export interface ClientRecord {
  /** Its last conversation, as the client knows it. */
  readonly session: string;
  readonly turns: readonly string[];
  readonly tools: number;
  readonly denials: readonly string[];
  readonly retries: number;
  /** When its quota returns. */
  readonly waitsUntil: number | null;
}

/** A sub-agent that a client started by itself (Q8), as it was reported last. */
export interface SubAgentHistory extends Pick<Activity, 'id' | 'name' | 'status' | 'text' | 'usage' | 'parent'> {
  readonly key: string;
  readonly tools: number;
}

/** In order of their first turn. */
export class AgentFold {
  readonly #book: TaskBook;
  readonly #rows = new Rows<AgentRecord>();
  readonly #places = new Map<string, number>();
  /** By turn: how it ended, with which record. */
  readonly #ends = new Map<string, Pick<AgentRecord, 'outcome' | 'code'> & { readonly seq: number }>();

  constructor(book: TaskBook) {
    this.#book = book;
  }

  get view(): readonly AgentRecord[] {
    return this.#rows.list;
  }

  take(record: JournalRecord): void {
    const { fact, at } = record;
    takeWith(TAKERS, this, record);
    const { charge } = this.#book;
    if (!('task' in fact) || fact.task === null) return;
    this.ofTurn(fact.task, ({ usage, costUsd }) => ({
      lastAt: at,
      ...(charge === null ? {} : addSpent({ usage, costUsd }, charge)),
    }));
  }

  start(task: string, context: string, at: number): void {
    const agent = this.#turn(task)?.agent;
    if (agent == null) return;
    if (!this.#places.has(agent))
      this.#places.set(agent, this.#rows.add({ ...NEW_AGENT, agent, context, firstAt: at, lastAt: at }));
    this.change(agent, ({ tasks }) => ({ ...NO_END, context, tasks: [...tasks, task], progress: null }));
  }

  end({ task, outcome, failure, left }: TaskEnded, seq: number): void {
    const { agent, time } = this.#turn(task) ?? {};
    const end = { outcome, code: failure?.code ?? null };
    this.#ends.set(task, { ...end, seq });
    this.change(agent, ({ tasks, ms, models }) => ({
      ms: (ms ?? 0) + (time?.workedMs ?? 0),
      models: [...new Set([...models, ...(left?.models ?? [])])],
      ...(tasks.at(-1) === task ? end : {}),
    }));
    this.#waitUntil(task, null);
  }

  /** Actions that were refused it has not used. */
  use({ task, toolCall, refused }: ToolFinished): void {
    const name = this.#book.toolCall(task, toolCall)?.name;
    if (name !== undefined && refused === undefined) this.ofTurn(task, ({ toolNames }) => usedToo(toolNames, name));
  }

  meetSession({ task, agent, actor, session }: SessionNoted): void {
    this.change(agent, ({ client }) => {
      const known = client ?? NEW_CLIENT;
      return { actor, client: { ...known, session, turns: [...new Set([...known.turns, task])] } };
    });
  }

  fail(task: string, waitsUntil: number | null): void {
    this.#waitUntil(task, waitsUntil);
  }

  /** Each thing is reported when it begins, and again when it is over. */
  follow(task: string): void {
    for (const { item } of this.#book.begun) this.ofTurn(task, (agent) => begun(agent, task, item));
    for (const { item } of this.#book.ended) this.ofTurn(task, (agent) => ended(agent, item));
  }

  meetMinions(task: string, items: readonly Activity[]): void {
    for (const item of items)
      if (item.kind === 'minion') this.ofTurn(task, ({ minions }) => ({ minions: withMinion(minions, task, item) }));
  }

  /** The original run paid for everything before the fork; a turn in progress is paid for by the run that ends it. */
  fork(): void {
    this.#rows.changeAll(({ tasks, outcome }) => {
      const inherited = tasks.length - (outcome === null ? 1 : 0);
      return { ...NOTHING_SPENT, tools: 0, inherited };
    });
  }

  /** Usage stays counted; the outcome of an undone turn no longer describes the agent. */
  rewind(): void {
    const { lineage } = this.#book;
    this.#rows.changeAll(({ tasks }) => {
      const last = tasks.findLast((task) => lineage.counts(this.#turn(task)?.seq ?? 0));
      const { seq = 0, ...end } = this.#ends.get(last ?? '') ?? {};
      return { ...NO_END, ...(seq > 0 && lineage.counts(seq) ? end : {}), progress: null };
    });
  }

  ofTurn(task: string, changeOf: (agent: AgentRecord) => Partial<AgentRecord>): void {
    this.change(this.#turn(task)?.agent, changeOf);
  }

  change(agent: string | null | undefined, changeOf: (agent: AgentRecord) => Partial<AgentRecord>): void {
    const place = this.#places.get(agent ?? '');
    const row = this.#rows.at(place);
    if (row !== undefined) this.#rows.change(place, changeOf(row));
  }

  #turn(task: string | null): KnownTask | undefined {
    const known = this.#book.task(task);
    return known?.work.kind === 'turn' ? known : undefined;
  }

  #waitUntil(task: string, waitsUntil: number | null): void {
    this.ofTurn(task, ({ client }) => (client === null ? {} : { client: { ...client, waitsUntil } }));
  }
}

const NO_END = { outcome: null, code: null, isMissing: false } as const;

/** An agent before its first turn. */
export const NEW_AGENT = {
  ...NO_END,
  ...NOTHING_SPENT,
  tasks: [],
  ms: null,
  models: [],
  tools: 0,
  toolNames: [],
  artifacts: [],
  inherited: 0,
  progress: null,
  actor: null,
  client: null,
  minions: [],
} as const;

const NEW_CLIENT: ClientRecord = { session: '', turns: [], tools: 0, denials: [], retries: 0, waitsUntil: null };

const TAKERS: Takers<AgentFold> = {
  'task.started': (fold, { task, work }, { at }) => {
    if (work.kind === 'turn') fold.start(task, work.context, at);
  },
  'task.ended': (fold, fact, { seq }) => fold.end(fact, seq),
  'call.started': (fold, { task }) => fold.fail(task, null),
  'call.failed': (fold, { task, failure, retryAt }) => fold.fail(task, failure.class === 'quota' ? retryAt : null),
  'call.answered': (fold, { task, model, message }) =>
    fold.ofTurn(task, ({ models, tools }) => ({
      models: [...new Set([...models, model])],
      tools: tools + (message.toolCalls?.length ?? 0),
    })),
  'tool.finished': (fold, fact) => fold.use(fact),
  'session.noted': (fold, fact) => fold.meetSession(fact),
  'activity.noted': (fold, { task, items }) => {
    fold.meetMinions(task, items);
    fold.follow(task);
  },
  'artifact.recorded': (fold, { artifact }) =>
    fold.change(artifact.producer, ({ artifacts }) => ({ artifacts: [...new Set([...artifacts, artifact.id])] })),
  'progress.noted': (fold, { agent, progress, message }) =>
    fold.change(agent, () => ({ progress: { progress, message } })),
  'bus.sent': (fold, { message: { type, sender, payload } }) => {
    if (type === 'error') fold.change(sender, ({ code }) => ({ isMissing: true, code: errorIn(payload) ?? code }));
  },
  'run.forked': (fold) => fold.fork(),
  'run.rewound': (fold, { state }) => {
    if (state !== null) fold.rewind();
  },
};

function errorIn(payload: Json): string | null {
  const code = isJsonObject(payload) ? payload['error_type'] : null;
  return typeof code === 'string' ? code : null;
}

const usedToo = (toolNames: readonly string[], name: string): Pick<AgentRecord, 'toolNames'> => ({
  toolNames: [...new Set([...toolNames, name])],
});

function begun(agent: AgentRecord, task: string, { kind, parent }: Activity): Partial<AgentRecord> {
  const { client, minions, tools } = agent;
  if (kind === 'retry') return client === null ? {} : { client: { ...client, retries: client.retries + 1 } };
  if (kind !== 'tool') return {};
  if (parent === undefined)
    return { tools: tools + 1, ...(client === null ? {} : { client: { ...client, tools: client.tools + 1 } }) };
  const key = `${task} ${parent}`;
  return { minions: minions.map((one) => (one.key === key ? { ...one, tools: one.tools + 1 } : one)) };
}

function ended({ client, toolNames }: AgentRecord, { kind, name, status, text = '' }: Activity): Partial<AgentRecord> {
  if (status !== 'denied') return kind === 'tool' ? usedToo(toolNames, name) : {};
  const denial = text === '' ? name : `${name} ${text}`;
  return client === null ? {} : { client: { ...client, denials: [...client.denials, denial] } };
}

function withMinion(
  minions: readonly SubAgentHistory[],
  task: string,
  { kind: _kind, ...item }: Activity,
): readonly SubAgentHistory[] {
  const key = `${task} ${item.id}`;
  const known = minions.find((one) => one.key === key);
  const now = { tools: 0, ...known, ...item, key };
  return known === undefined ? [...minions, now] : minions.map((one) => (one === known ? now : one));
}
