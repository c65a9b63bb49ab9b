import type { Fact, TaskEnded, TaskStarted, UnitsAdded } from '../../core/fact.ts';
import type { Json } from '../../core/json.ts';
import type { Failure } from '../../core/outcome.ts';
import type { Task } from '../../core/snapshot.ts';
import { roleOf, signalOf, type Happened } from './quest-notes.ts';

/** What people read of a record, in a line; null for what is only machinery. */
export function tellRecord({ before, record }: Happened): string | null {
  const { fact } = record;
  switch (fact.kind) {
    case 'task.started':
      return startText(fact);
    case 'session.noted':
      return `${fact.agent} ${HOW[fact.how]} session ${fact.session} of ${fact.actor}`;
    case 'tool.finished':
      return signalText(signalOf(before?.tasks[fact.task], fact));
    case 'turn.nudged':
      return `${roleOf(before?.tasks[fact.task])} ended without a signal and is told so`;
    case 'task.ended':
      return endText(before?.tasks[fact.task], fact);
    case 'units.added':
      return unitsText(fact);
    case 'unit.moved':
      return `${fact.unit} ${MOVED[fact.to]}`;
    case 'unit.ended':
      return `${fact.unit} is ${fact.outcome}: ${line(fact.reason)}`;
    default:
      return runText(fact);
  }
}

const HOW = { new: 'begins', resumed: 'goes on in', forked: 'goes on in a copy as' } as const;

const MOVED = {
  resting: 'rests and gives its slot to others',
  returning: 'wants a slot again',
  running: 'has a slot again',
} as const;

function startText({ work, unit, task }: TaskStarted): string | null {
  if (work.kind === 'turn') return `${work.agent} has the word`;
  if (work.kind === 'ask') return `a person is asked: ${line(work.question)}`;
  return work.kind === 'call' && unit !== null ? `${unit} begins (${task})` : null;
}

function signalText(signal: ReturnType<typeof signalOf>): string | null {
  if (signal === null) return null;
  const { role, says, status, why = '' } = signal;
  if (status === 'refused') return `${role}: ${signal.signal} is not taken: ${line(why)}`;
  const words = ['targetRole', 'summary', 'progress', 'question', 'reason'].flatMap((name) => wordsIn(says[name]));
  return [`${role}: ${signal.signal}`, ...words].join(': ');
}

const wordsIn = (said: Json | undefined): readonly string[] =>
  typeof said === 'string' && said !== '' ? [line(said)] : [];

function endText(task: Task | undefined, { outcome, failure }: TaskEnded): string | null {
  switch (task?.work.kind) {
    case 'command':
      if (task.work.builtin !== undefined) return null;
      return outcome === 'ok' ? 'Ward is green' : `Ward is red${because(failure)}`;
    case 'merge':
      return outcome === 'ok' ? 'merged into the files of the quest' : `the merge is ${outcome}${because(failure)}`;
    case 'call':
      return task.unit === null ? null : `${task.unit} is ${outcome}${because(failure)}`;
    case 'turn':
      return outcome === 'ok' ? null : `${task.work.agent} is ${outcome}${because(failure)}`;
    default:
      return null;
  }
}

const because = (failure: Failure | null): string =>
  failure === null ? '' : `, ${failure.code}: ${line(failure.message)}`;

function unitsText({ by, units }: UnitsAdded): string | null {
  if (units.length === 0) return null;
  const names = units.map(({ id }) => id).join(', ');
  return by === null ? line(`to do: ${names}`) : line(`${by} is split: ${names}`);
}

/** What happens to a run as a whole. */
function runText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'run.started':
      return 'begins';
    case 'run.resumed':
      return 'is taken up again';
    case 'run.paused':
      return `is paused by ${fact.by}: ${line(fact.reason)}`;
    case 'run.continued':
      return 'goes on';
    case 'run.cancelled':
      return `is cancelled by ${fact.by}: ${line(fact.reason)}`;
    case 'run.rewound':
      return `is put back to record ${fact.to} by ${fact.by}`;
    case 'run.forked':
      return `is a fork of ${fact.from.run} at record ${fact.from.seq}`;
    case 'run.settled':
      return `ends ${fact.outcome}${because(fact.failure)}`;
    case 'question.answered':
      return `${fact.by} answers: ${line(typeof fact.answer === 'string' ? fact.answer : JSON.stringify(fact.answer))}`;
    case 'limit.reached':
      return `meets its limit of ${fact.limit}: ${fact.allowed}`;
    case 'limit.raised':
      return `${fact.by} raises the limit of ${fact.limit} to ${fact.allowed}`;
    case 'call.failed':
      return fact.retryAt === null ? null : `a call failed and is tried again${because(fact.failure)}`;
    default:
      return null;
  }
}

const MOST = 300;

/** On one line, and not too long for one. */
function line(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ').trim();
  return one.length <= MOST ? one : `${one.slice(0, MOST - 1)}…`;
}
