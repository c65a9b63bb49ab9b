import type { Fact, JournalRecord } from '../record/fact.ts';

/**
 * The first record from this one on at which a run can be taken up again: by a fork, or when it is put back. What one event
 * led to is written in one piece, and half of it is a place where no run ever stood: an agent's call for a tool that nobody
 * has looked at yet, whether it needs permission, whether it was refused. A state that has just been entered is a
 * place to take up, since nothing of it has happened.
 */
export function stepEnd(records: readonly JournalRecord[], seq: number): number {
  const kinds = workKinds(records);
  const end = records.find((record, index) => record.seq >= seq && isEnd(record, records[index + 1], kinds));
  return end?.seq ?? records.length;
}

type WorkKinds = ReadonlyMap<string, string>;

const workKinds = (records: readonly JournalRecord[]): WorkKinds =>
  new Map(records.flatMap(({ fact }) => (fact.kind === 'task.started' ? [[fact.task, fact.work.kind]] : [])));

/** One step has one time, so a new time is a new step. At the same time it is one only where nothing else can be. */
function isEnd({ at, fact }: JournalRecord, next: JournalRecord | undefined, kinds: WorkKinds): boolean {
  if (next === undefined || fact.kind === 'state.entered') return true;
  // What was found around some work belongs to the end of that work, which comes next unless something came between.
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

/** Facts that only an event brings, and that are the first to be written of it. */
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
  // The engine's own answer to a call took no time.
  if (fact.kind === 'tool.finished') return fact.ms > 0;
  if (fact.kind !== 'task.ended' || !ELSEWHERE.has(kinds.get(fact.task))) return false;
  // Work that was stopped may have ended because of something before it.
  return fact.outcome !== 'cancelled' && fact.outcome !== 'timeout';
}
