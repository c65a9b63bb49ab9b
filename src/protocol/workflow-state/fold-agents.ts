import type { BusSent, ProgressNoted } from '../../core/artifact-fact.ts';
import { ChargeBook } from '../../core/charge.ts';
import type { Fact, JournalRecord, TaskEnded, TaskStarted, ToolFinished } from '../../core/fact.ts';
import type { RunId, TaskId } from '../../core/ids.ts';
import type { Outcome } from '../../core/outcome.ts';
import { addSpent, NOTHING_SPENT } from '../../core/tree-cost.ts';
import { NO_USAGE, type CostUsd, type Usage } from '../../core/usage.ts';
import { TaskBook } from '../log-lines/task-book.ts';
import type { TreeRecord } from './tree-record.ts';

/** What is known of an agent in one run. */
export interface KnownAgent {
  readonly run: RunId;
  readonly name: string;
  readonly startedAt: number;
  lastTask: TaskId;
  turns: number;
  ms: number;
  hasEnded: boolean;
  /** How its last turn came out; null while it is open, and where it was undone. */
  verdict: 'success' | 'error' | null;
  code: string | null;
  readonly tools: Set<string>;
  readonly artifacts: Set<string>;
  readonly models: Set<string>;
  usage: Usage;
  costUsd: CostUsd;
  progress: Pick<ProgressNoted, 'progress' | 'message'> | null;
}

/** Every agent that had a turn in a tree of runs, in the order in which they began. */
export function foldAgents(records: readonly TreeRecord[]): readonly KnownAgent[] {
  const agents = new Map<string, KnownAgent>();
  const books = new Map<RunId, { readonly book: TaskBook; readonly charges: ChargeBook }>();
  for (const { run, record } of records) {
    const known = books.get(run) ?? { book: new TaskBook(), charges: new ChargeBook() };
    books.set(run, known);
    known.book.learn(record);
    learn({ run, agents, ...known }, record);
  }
  return [...agents.values()];
}

interface Seen {
  readonly run: RunId;
  readonly agents: Map<string, KnownAgent>;
  readonly book: TaskBook;
  readonly charges: ChargeBook;
}

function learn(seen: Seen, record: JournalRecord): void {
  const { fact, at } = record;
  spend(seen, record);
  if (fact.kind === 'task.started') return begin(seen, fact, at);
  const named = namedBy(fact);
  if (named !== null) return note(seen.agents.get(keyOf(seen.run, named)), fact);
  const task = 'task' in fact ? seen.book.task(fact.task) : undefined;
  const agent = task?.work.kind === 'turn' ? seen.agents.get(keyOf(seen.run, task.work.agent)) : undefined;
  if (agent !== undefined && task !== undefined)
    noteTurn(agent, { fact, ms: task.time?.workedMs ?? 0, book: seen.book });
}

interface TurnNews {
  readonly fact: Fact;
  /** How long the turn took, where it ended. */
  readonly ms: number;
  readonly book: TaskBook;
}

function noteTurn(agent: KnownAgent, { fact, ms, book }: TurnNews): void {
  if (fact.kind === 'task.ended') end(agent, fact, ms);
  else if (fact.kind === 'call.answered') agent.models.add(fact.model);
  else if (fact.kind === 'tool.finished') use(agent, fact, book);
  else if (fact.kind === 'activity.noted') for (const { item } of book.ended) useOwn(agent, item);
}

const keyOf = (run: string, agent: string): string => `${run} ${agent}`;

function begin({ run, agents }: Seen, { task, work }: TaskStarted, at: number): void {
  if (work.kind !== 'turn') return;
  const key = keyOf(run, work.agent);
  const agent = agents.get(key) ?? newAgent({ run, name: work.agent, startedAt: at, lastTask: task });
  agents.set(key, agent);
  agent.lastTask = task;
  agent.turns += 1;
  agent.verdict = null;
  agent.code = null;
}

const newAgent = (first: Pick<KnownAgent, 'run' | 'name' | 'startedAt' | 'lastTask'>): KnownAgent => ({
  ...first,
  turns: 0,
  ms: 0,
  hasEnded: false,
  verdict: null,
  code: null,
  tools: new Set(),
  artifacts: new Set(),
  models: new Set(),
  usage: NO_USAGE,
  costUsd: 0,
  progress: null,
});

/** The agent that a fact is about by its own words. */
function namedBy(fact: Fact): string | null {
  if (fact.kind === 'artifact.recorded') return fact.artifact.producer;
  if (fact.kind === 'progress.noted') return fact.agent;
  return fact.kind === 'bus.sent' && fact.message.type === 'error' ? fact.message.sender : null;
}

function note(agent: KnownAgent | undefined, fact: Fact): void {
  if (agent === undefined) return;
  if (fact.kind === 'artifact.recorded') agent.artifacts.add(fact.artifact.id);
  else if (fact.kind === 'progress.noted') agent.progress = { progress: fact.progress, message: fact.message };
  else if (fact.kind === 'bus.sent') fail(agent, fact);
}

/** Its turn came out well, and what it owes is not there all the same (L4). */
function fail(agent: KnownAgent, { message }: BusSent): void {
  agent.verdict = 'error';
  const { payload } = message;
  const code =
    typeof payload === 'object' && payload !== null && 'error_type' in payload ? payload['error_type'] : null;
  if (typeof code === 'string') agent.code = code;
}

const GOOD: ReadonlySet<Outcome> = new Set(['ok', 'partial']);

function end(agent: KnownAgent, { outcome, failure, task }: TaskEnded, ms: number): void {
  agent.hasEnded = true;
  agent.ms += ms;
  if (task !== agent.lastTask) return;
  agent.verdict = GOOD.has(outcome) ? 'success' : 'error';
  agent.code = failure?.code ?? null;
}

/** Also for failed and undone work. What a fork took over was paid by the run it comes from. */
function spend({ run, agents, charges }: Seen, record: JournalRecord): void {
  if (record.fact.kind === 'run.forked') {
    for (const agent of agents.values()) if (agent.run === run) Object.assign(agent, NOTHING_SPENT);
  }
  const charge = charges.take(record);
  const agent = charge === null ? undefined : agents.get(keyOf(run, charge.agent ?? ''));
  if (agent !== undefined && charge !== null) Object.assign(agent, addSpent(agent, charge));
}

/** What it was not let do it has not used. */
function use(agent: KnownAgent, { task, toolCall, refused }: ToolFinished, book: TaskBook): void {
  const name = book.toolCall(task, toolCall)?.name;
  if (name !== undefined && refused === undefined) agent.tools.add(name);
}

function useOwn(agent: KnownAgent, { kind, name, status }: { kind: string; name: string; status: string }): void {
  if (kind === 'tool' && status !== 'denied') agent.tools.add(name);
}
