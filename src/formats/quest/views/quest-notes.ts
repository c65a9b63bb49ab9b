import type { Activity, Evidence } from '../../../core/record/agent-fact.ts';
import type { Fact, JournalRecord } from '../../../core/record/fact.ts';
import type { CallAnswered, ToolFinished } from '../../../core/record/call-fact.ts';
import type { TaskEnded, TaskStarted } from '../../../core/record/task-fact.ts';
import { childRunId, type RunId, type TaskId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import { SIGNAL_TOOL } from '../../../core/model/signal.ts';
import type { Snapshot, Unit } from '../../../core/fold/snapshot.ts';
import { unitsInOrder } from '../../../core/fold/units.ts';
import type { KnownTask, TaskBook } from '../../../protocol/history/task-book.ts';
import type { QuestCheck, QuestEvidence, QuestMerge, QuestSignal } from './quest-view.ts';

/** Events of a run that its snapshot does not keep, by kind. */
export interface Notes {
  readonly turn: TurnNote;
  readonly session: { readonly task: TaskId; readonly actor: string; readonly session: string };
  readonly signal: QuestSignal;
  readonly evidence: QuestEvidence;
  readonly check: QuestCheck;
  readonly merge: Omit<QuestMerge, 'tries'>;
  /** A pool that is over, with its units as they ended. */
  readonly closed: { readonly pool: TaskId; readonly units: readonly Unit[] };
  /** A run that was begun for a unit. */
  readonly begun: BegunUnit;
  /** A context was emptied. */
  readonly cleared: { readonly context: string };
}

export type NewNote = { [Kind in keyof Notes]: readonly [kind: Kind, note: Notes[Kind]] }[keyof Notes];

export interface TurnNote {
  readonly task: TaskId;
  readonly at: number;
  readonly role: string;
  readonly context: string;
}

export interface BegunUnit {
  readonly pool: TaskId;
  readonly unit: string;
  readonly run: RunId;
  readonly at: number;
}

/** A record, and where its run stood before and after it. */
export interface Happened {
  readonly before: Snapshot | null;
  readonly snapshot: Snapshot;
  readonly record: JournalRecord;
  readonly book: TaskBook;
}

export function notesOf(happened: Happened): readonly NewNote[] {
  const { fact } = happened.record;
  const note = NOTERS[fact.kind] as ((fact: Fact, happened: Happened) => readonly NewNote[]) | undefined;
  return note?.(fact, happened) ?? [];
}

type Noters = {
  readonly [Kind in Fact['kind']]?: (
    fact: Extract<Fact, { readonly kind: Kind }>,
    happened: Happened,
  ) => readonly NewNote[];
};

const NOTERS: Noters = {
  'task.started': startNotes,
  'context.cleared': ({ context }) => [['cleared', { context }]],
  'session.noted': ({ task, actor, session }) => [['session', { task, actor, session }]],
  'activity.noted': ({ task, items }, { book, record: { at } }) =>
    refusedAtDesk(book.task(task), items).flatMap(({ signal }) =>
      signal === null ? [] : [['signal', { at, ...signal }] as const],
    ),
  'call.answered': evidenceNotes,
  'tool.finished': (fact, { book, record: { at } }) => {
    const signal = signalOf(book, fact);
    return signal === null ? [] : [['signal', { at, ...signal }]];
  },
  'task.ended': endNotes,
};

function startNotes({ task, work, pool, unit }: TaskStarted, { snapshot, record }: Happened): readonly NewNote[] {
  const { at } = record;
  if (work.kind === 'turn') {
    return [['turn', { task, at, role: work.agent, context: work.context }]];
  }
  if (work.kind !== 'call' || pool === null || unit === null) return [];
  return [['begun', { pool, unit, run: childRunId(snapshot.run, task), at }]];
}

/** Structured replies of a client that were refused: the agent itself does not report them. */
export function refusedAtDesk(task: KnownTask | undefined, items: readonly Activity[]): readonly RefusedReply[] {
  return items
    .filter(({ kind, status }) => kind === 'notice' && status === 'denied')
    .map(({ name, text: why = '', handed = null }) => {
      const said = { role: roleOf(task), name, why };
      if (name !== SIGNAL_TOOL) return { ...said, signal: null };
      return { ...said, signal: { ...signalIn(task, handed), status: 'refused', why } };
    });
}

export interface RefusedReply {
  readonly role: string;
  readonly name: string;
  readonly why: string;
  readonly signal: Omit<QuestSignal, 'at'> | null;
}

const MOST_OUTPUT = 2000;

function evidenceNotes({ task, evidence = [] }: CallAnswered, { book, record: { at } }: Happened): readonly NewNote[] {
  const role = roleOf(book.task(task));
  return evidence.map((seen) => ['evidence', { at, role, seen: shortened(seen) }]);
}

const shortened = (seen: Evidence): Evidence =>
  seen.kind === 'command' ? { ...seen, output: seen.output.slice(-MOST_OUTPUT) } : seen;

export const roleOf = (task: Pick<KnownTask, 'work'> | undefined): string =>
  task?.work.kind === 'turn' ? task.work.agent : '';

/** The signal that this is the end of; null for any other call. */
export function signalOf(book: TaskBook, fact: ToolFinished): Omit<QuestSignal, 'at'> | null {
  const call = book.toolCall(fact.task, fact.toolCall);
  if (call?.name !== SIGNAL_TOOL) return null;
  const signal = signalIn(book.task(fact.task), call.arguments);
  return fact.accepted === true ? { ...signal, status: 'taken' } : { ...signal, status: 'refused', why: fact.content };
}

function signalIn(task: KnownTask | undefined, given: Json): Pick<QuestSignal, 'role' | 'signal' | 'says'> {
  const { signal, stepId: _step, ...says } = isJsonObject(given) ? given : ({} as JsonObject);
  return { role: roleOf(task), signal: typeof signal === 'string' ? signal : 'unknown', says };
}

/** The structured reply that this is the end of, other than a signal; null for the tools that agents work with. */
export function handedIn(book: TaskBook, fact: ToolFinished): Handed | null {
  const call = book.toolCall(fact.task, fact.toolCall);
  if (call === undefined || call.name === SIGNAL_TOOL || fact.accepted === undefined) return null;
  const given = isJsonObject(call.arguments) ? call.arguments['steps'] : null;
  const steps = Array.isArray(given)
    ? given.filter(isJsonObject).map(({ id }) => (typeof id === 'string' ? id : '?'))
    : [];
  return { role: roleOf(book.task(fact.task)), name: call.name, steps, why: fact.accepted ? null : fact.content };
}

export interface Handed {
  readonly role: string;
  readonly name: string;
  /** For a plan. */
  readonly steps: readonly string[];
  /** Null: it was taken. */
  readonly why: string | null;
}

function endNotes(fact: TaskEnded, { before, book, record: { at } }: Happened): readonly NewNote[] {
  const { task, outcome, output, failure } = fact;
  const work = book.task(task)?.work;
  switch (work?.kind) {
    case 'command': {
      const check = { at, command: work.command, outcome, exitCode: exitCodeIn(output) };
      return work.builtin === undefined ? [['check', check]] : [];
    }
    case 'merge':
      return [['merge', { at, outcome, reason: failure?.message ?? null }]];
    case 'pool':
      return closedNotes(task, before);
    default:
      return [];
  }
}

function closedNotes(task: TaskId, before: Snapshot | null): readonly NewNote[] {
  const pool = before?.tasks[task];
  return pool === undefined ? [] : [['closed', { pool: task, units: unitsInOrder(pool) }]];
}

function exitCodeIn(output: Json): number | null {
  const code = isJsonObject(output) ? output['exitCode'] : null;
  return typeof code === 'number' ? code : null;
}
