import type { Fact, JournalRecord } from '../record/fact.ts';

/**
 * The first record from this one on at which a run can be resumed: by a fork, or after a rollback. The records of one event
 * are written together, and a part of them is no valid position: an agent's call for a tool, for example, before it is known
 * whether the tool needs permission or was refused. A state that was just entered is a valid position, since nothing of it
 * has happened.
 */
export function stepEnd(records: readonly JournalRecord[], seq: number): number {
  const kinds = workKinds(records);
  const end = records.find((record, index) => record.seq >= seq && isEnd(record, records[index + 1], kinds));
  return end?.seq ?? records.length;
}

type WorkKinds = ReadonlyMap<string, string>;

const workKinds = (records: readonly JournalRecord[]): WorkKinds =>
  new Map(records.flatMap(({ fact }) => (fact.kind === 'task.started' ? [[fact.task, fact.work.kind]] : [])));

/**
 * All records of a step have one time, so a new time is a new step. At the same time, a record starts a new step only
 * if it cannot belong to the last.
 */
function isEnd({ at, fact }: JournalRecord, next: JournalRecord | undefined, kinds: WorkKinds): boolean {
  if (next === undefined || fact.kind === 'state.entered') return true;
  // Notes about some work belong to the end of that work, which comes next unless something else came between.
  if (isOfWork(fact)) return FROM_OUTSIDE.has(next.fact.kind) || (NOTED.has(next.fact.kind) && !isOfWork(next.fact));
  return next.at !== at || begins(next.fact, kinds);
}

const NOTED: ReadonlySet<Fact['kind']> = new Set(['workspace.made', 'files.changed', 'resource.leased']);

const isOfWork = (fact: Fact): boolean => (fact.kind === 'files.changed' ? fact.task !== null : NOTED.has(fact.kind));

const FROM_OUTSIDE: ReadonlySet<Fact['kind']> = new Set([
  'run.cancelled',
  'run.paused',
  'run.continued',
  'run.resumed',
  'terms.changed',
  'run.forked',
  'run.redefined',
  'run.rewound',
  'project.changed',
  'delivery.finished',
  'delivery.failed',
  'result.discarded',
  'run.archived',
]);

/** Facts that only an event causes, and that are the first it records. */
const FIRST: ReadonlySet<Fact['kind']> = new Set([
  ...NOTED,
  ...FROM_OUTSIDE,
  'workspace.gone',
  'call.answered',
  'call.failed',
  'script.evaluated',
  'question.asked',
  'question.answered',
]);

const ELSEWHERE: ReadonlySet<string | undefined> = new Set(['command', 'call', 'merge']);

function begins(fact: Fact, kinds: WorkKinds): boolean {
  if (FIRST.has(fact.kind) || (fact.kind === 'message.added' && fact.by !== undefined)) return true;
  // The engine's own answers to calls take no time.
  if (fact.kind === 'tool.finished') return fact.ms > 0;
  if (fact.kind !== 'task.ended' || !ELSEWHERE.has(kinds.get(fact.task))) return false;
  // Stopped work may have ended because of something before it.
  return fact.outcome !== 'cancelled' && fact.outcome !== 'timeout';
}
