import { append, emptyList, toArray, type AppendList } from '../../core/append-list.ts';
import type { Activity, ActivityNoted, Evidence, SessionNoted } from '../../core/agent-fact.ts';
import type { CallAnswered, JournalRecord, TaskEnded, TaskStarted, ToolFinished } from '../../core/fact.ts';
import { childRunId, type RunId, type TaskId } from '../../core/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';
import { readSignal, SIGNAL_TOOL } from '../../core/signal.ts';
import type { Snapshot, Task, Unit } from '../../core/snapshot.ts';
import { unitsInOrder } from '../../core/units.ts';
import type { QuestCheck, QuestEvidence, QuestMerge, QuestSignal } from './quest-view.ts';

/** What happened in a run that its snapshot does not keep. */
export interface Notes {
  readonly turns: AppendList<TurnNote>;
  /** Those of each turn, the newest last: one may be lost, and another begun in its place. */
  readonly sessions: Readonly<Record<TaskId, readonly SessionNote[]>>;
  readonly signals: AppendList<QuestSignal>;
  readonly evidence: AppendList<QuestEvidence>;
  readonly checks: AppendList<QuestCheck>;
  readonly merges: AppendList<Omit<QuestMerge, 'tries'>>;
  /** Pools that are over, with their units as they ended. */
  readonly closed: AppendList<ClosedPool>;
  /** The runs that were begun for units. */
  readonly begun: AppendList<BegunUnit>;
  /** How often a context was emptied. */
  readonly cleared: Readonly<Record<string, number>>;
}

export interface SessionNote {
  readonly actor: string;
  readonly session: string;
}

export interface TurnNote {
  readonly task: TaskId;
  readonly at: number;
  readonly role: string;
  /** Of a model: what takes the place of a session. */
  readonly session: string;
}

export interface ClosedPool {
  readonly pool: TaskId;
  readonly units: readonly Unit[];
}

export interface BegunUnit {
  readonly pool: TaskId;
  readonly unit: string;
  readonly run: RunId;
  readonly at: number;
}

/** New lists for each run: a list that grows is shared by all that have seen its beginning. */
export const emptyNotes = (): Notes => ({
  turns: emptyList(),
  sessions: {},
  signals: emptyList(),
  evidence: emptyList(),
  checks: emptyList(),
  merges: emptyList(),
  closed: emptyList(),
  begun: emptyList(),
  cleared: {},
});

/** A record, and where its run stood before and after it. */
export interface Happened {
  readonly before: Snapshot | null;
  readonly snapshot: Snapshot;
  readonly record: JournalRecord;
}

export function takeNotes(notes: Notes, happened: Happened): Notes {
  const { fact } = happened.record;
  switch (fact.kind) {
    case 'task.started':
      return noteStart(notes, happened, fact);
    case 'session.noted':
      return noteSession(notes, fact);
    case 'activity.noted':
      return noteRefusals(notes, happened, fact);
    case 'context.cleared':
      return { ...notes, cleared: { ...notes.cleared, [fact.context]: (notes.cleared[fact.context] ?? 0) + 1 } };
    case 'call.answered':
      return noteEvidence(notes, happened, fact);
    case 'tool.finished':
      return noteSignal(notes, happened, fact);
    case 'task.ended':
      return noteEnd(notes, happened, fact);
    default:
      return notes;
  }
}

function noteStart(notes: Notes, { snapshot, record }: Happened, { task, work, pool, unit }: TaskStarted): Notes {
  const { at } = record;
  if (work.kind === 'turn') {
    const session = `${work.context}#${(notes.cleared[work.context] ?? 0) + 1}`;
    return { ...notes, turns: append(notes.turns, { task, at, role: work.agent, session }) };
  }
  if (work.kind !== 'call' || pool === null || unit === null) return notes;
  return { ...notes, begun: append(notes.begun, { pool, unit, run: childRunId(snapshot.run, task), at }) };
}

function noteSession(notes: Notes, { task, actor, session }: SessionNoted): Notes {
  const known = notes.sessions[task] ?? [];
  return { ...notes, sessions: { ...notes.sessions, [task]: [...known, { actor, session }] } };
}

function noteRefusals(notes: Notes, { before, record }: Happened, { task, items }: ActivityNoted): Notes {
  const told = refusedAtDesk(before?.tasks[task], items).flatMap(({ signal }) => (signal === null ? [] : [signal]));
  const signals = told.map((signal): QuestSignal => ({ at: record.at, ...signal }));
  return signals.length === 0 ? notes : { ...notes, signals: signals.reduce(append<QuestSignal>, notes.signals) };
}

/** Structured replies that a client handed in and that were not taken: the agent itself does not tell of them. */
export function refusedAtDesk(task: Task | undefined, items: readonly Activity[]): readonly RefusedReply[] {
  return items
    .filter(({ kind, status }) => kind === 'notice' && status === 'denied')
    .map(({ name, text: why = '', handed = null }) => {
      const said = { role: roleOf(task), name, why };
      if (name !== SIGNAL_TOOL) return { ...said, signal: null };
      const call = readSignal({ id: '', name, arguments: handed });
      return { ...said, signal: { ...signalIn(task, call), status: 'refused', why } };
    });
}

export interface RefusedReply {
  readonly role: string;
  readonly name: string;
  readonly why: string;
  readonly signal: Omit<QuestSignal, 'at'> | null;
}

const MOST_OUTPUT = 2000;

function noteEvidence(notes: Notes, { before, record }: Happened, fact: CallAnswered): Notes {
  const role = roleOf(before?.tasks[fact.task]);
  const seen = (fact.evidence ?? []).map((one): QuestEvidence => ({ at: record.at, role, seen: shortened(one) }));
  return seen.length === 0 ? notes : { ...notes, evidence: seen.reduce(append<QuestEvidence>, notes.evidence) };
}

const shortened = (seen: Evidence): Evidence =>
  seen.kind === 'command' ? { ...seen, output: seen.output.slice(-MOST_OUTPUT) } : seen;

export const roleOf = (task: Task | undefined): string => (task?.work.kind === 'turn' ? task.work.agent : '');

function noteSignal(notes: Notes, { before, record }: Happened, fact: ToolFinished): Notes {
  const signal = signalOf(before?.tasks[fact.task], fact);
  return signal === null ? notes : { ...notes, signals: append(notes.signals, { at: record.at, ...signal }) };
}

/** The signal that this is the end of; null for any other call. */
export function signalOf(task: Task | undefined, fact: ToolFinished): Omit<QuestSignal, 'at'> | null {
  const call = callsIn(task).find(({ id }) => id === fact.toolCall);
  if (call?.name !== SIGNAL_TOOL) return null;
  const told = signalIn(task, readSignal(call));
  return fact.accepted === true ? { ...told, status: 'taken' } : { ...told, status: 'refused', why: fact.content };
}

function signalIn(
  task: Task | undefined,
  { arguments: given }: ToolCall,
): Pick<QuestSignal, 'role' | 'signal' | 'says'> {
  const { signal, stepId: _step, ...says } = isJsonObject(given) ? given : ({} as JsonObject);
  return { role: roleOf(task), signal: typeof signal === 'string' ? signal : 'unknown', says };
}

/** The structured reply that this is the end of, other than a signal; null for the tools that agents work with. */
export function handedIn(task: Task | undefined, fact: ToolFinished): Handed | null {
  const call = callsIn(task).find(({ id }) => id === fact.toolCall);
  if (call === undefined || call.name === SIGNAL_TOOL || fact.accepted === undefined) return null;
  const given = isJsonObject(call.arguments) ? call.arguments['steps'] : null;
  const steps = Array.isArray(given)
    ? given.filter(isJsonObject).map(({ id }) => (typeof id === 'string' ? id : '?'))
    : [];
  return { role: roleOf(task), name: call.name, steps, why: fact.accepted ? null : fact.content };
}

export interface Handed {
  readonly role: string;
  readonly name: string;
  /** Of a plan. */
  readonly steps: readonly string[];
  /** Null: it was taken. */
  readonly why: string | null;
}

/** Those of the last answer: the calls that may end now. */
function callsIn(task: Task | undefined): readonly ToolCall[] {
  const messages = task?.turn?.messages;
  const said = messages === undefined ? [] : toArray(messages);
  return said.findLast(({ toolCalls }) => toolCalls !== undefined)?.toolCalls ?? [];
}

function noteEnd(notes: Notes, { before, record }: Happened, fact: TaskEnded): Notes {
  const task = before?.tasks[fact.task];
  const { at } = record;
  const { outcome, output, failure } = fact;
  switch (task?.work.kind) {
    case 'command': {
      const { command, builtin } = task.work;
      const check = { at, command, outcome, exitCode: exitCodeIn(output) };
      return builtin === undefined ? { ...notes, checks: append(notes.checks, check) } : notes;
    }
    case 'merge':
      return { ...notes, merges: append(notes.merges, { at, outcome, reason: failure?.message ?? null }) };
    case 'pool':
      return { ...notes, closed: append(notes.closed, { pool: task.id, units: unitsInOrder(task) }) };
    default:
      return notes;
  }
}

function exitCodeIn(output: Json): number | null {
  const code = isJsonObject(output) ? output['exitCode'] : null;
  return typeof code === 'number' ? code : null;
}
