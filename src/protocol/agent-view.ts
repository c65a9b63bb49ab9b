import type { Activity } from '../core/agent-fact.ts';
import type { Fact, JournalRecord } from '../core/fact.ts';
import type { Usage } from '../core/usage.ts';

/** An agent that is a program of its own, as far as it told what it did. */
export interface AgentView {
  readonly agent: string;
  /** The kind of client, such as `claude-code`. */
  readonly actor: string;
  /** Its last conversation, as the client knows it. */
  readonly session: string;
  readonly turns: number;
  /** Tools it used itself, without those of its sub-agents. */
  readonly tools: number;
  /** What it was not let do. */
  readonly denials: readonly string[];
  /** Calls to its model that it made again. */
  readonly retries: number;
  readonly minions: readonly MinionView[];
  /** When the quota it waits for is there again. */
  readonly waitsUntil?: number;
}

/** A sub-agent that a client started by itself (Q8). */
export interface MinionView {
  readonly id: string;
  readonly name: string;
  readonly status: Activity['status'];
  readonly text?: string;
  /** Part of the agent's own usage. */
  readonly usage?: Usage;
  readonly tools: number;
  /** The sub-agent that started it. */
  readonly parent?: string;
}

/** The clients of a run, in the order in which they first spoke. */
export function agentViews(records: readonly JournalRecord[]): readonly AgentView[] {
  const seen: Seen = { authors: new Map(), agents: new Map() };
  for (const { fact } of records) learn(seen, fact);
  return [...seen.agents].map(([agent, known]) => viewOf(agent, known));
}

interface Seen {
  /** By task. */
  readonly authors: Map<string, string>;
  readonly agents: Map<string, Known>;
}

interface Known {
  actor: string;
  session: string;
  readonly turns: Set<string>;
  /** By turn and id, as it was told last. */
  readonly activities: Map<string, Activity>;
  waitsUntil: number | null;
}

function learn({ authors, agents }: Seen, fact: Fact): void {
  if (fact.kind === 'task.started' && fact.work.kind === 'turn') authors.set(fact.task, fact.work.agent);
  if (fact.kind === 'session.noted') noteSession(agents, fact);
  const task = 'task' in fact ? fact.task : null;
  const known = task === null ? undefined : agents.get(authors.get(task) ?? '');
  if (known !== undefined) noteWork(known, fact);
}

function noteWork(known: Known, fact: Fact): void {
  switch (fact.kind) {
    case 'activity.noted':
      for (const item of fact.items) {
        const key = `${fact.task} ${item.id}`;
        known.activities.set(key, { ...known.activities.get(key), ...item });
      }
      break;
    case 'call.failed':
      known.waitsUntil = fact.failure.class === 'quota' ? fact.retryAt : null;
      break;
    case 'call.started':
    case 'task.ended':
      known.waitsUntil = null;
      break;
    default:
  }
}

function noteSession(agents: Seen['agents'], fact: Extract<Fact, { readonly kind: 'session.noted' }>): void {
  const { agent, actor, session, task } = fact;
  const known = agents.get(agent) ?? { actor, session, turns: new Set(), activities: new Map(), waitsUntil: null };
  known.turns.add(task);
  agents.set(agent, Object.assign(known, { actor, session }));
}

function viewOf(agent: string, { actor, session, turns, activities, waitsUntil }: Known): AgentView {
  const entries = [...activities].map(([key, item]) => ({ turn: key.slice(0, key.indexOf(' ')), item }));
  const items = entries.map(({ item }) => item);
  return {
    agent,
    actor,
    session,
    turns: turns.size,
    tools: items.filter(({ kind, parent }) => kind === 'tool' && parent === undefined).length,
    denials: items.filter(({ status }) => status === 'denied').map(({ name, text }) => wordsOf(name, text)),
    retries: items.filter(({ kind }) => kind === 'retry').length,
    minions: entries.filter(({ item }) => item.kind === 'minion').map((entry) => minionView(entry, entries)),
    ...(waitsUntil === null ? {} : { waitsUntil }),
  };
}

const wordsOf = (name: string, text = ''): string => (text === '' ? name : `${name} ${text}`);

interface Entry {
  readonly turn: string;
  readonly item: Activity;
}

function minionView({ turn, item }: Entry, all: readonly Entry[]): MinionView {
  const { id, name, status, text, usage, parent } = item;
  const isOwn = (other: Entry): boolean =>
    other.turn === turn && other.item.kind === 'tool' && other.item.parent === item.id;
  return {
    id,
    name,
    status,
    ...(text === undefined ? {} : { text }),
    ...(usage === undefined ? {} : { usage }),
    tools: all.filter(isOwn).length,
    ...(parent === undefined ? {} : { parent }),
  };
}
