import type { Fact } from '../../../core/record/fact.ts';
import { type Json, jsonText } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import type { KnownTask } from '../../../protocol/history/task-book.ts';
import { logLineText } from '../../../protocol/log-lines/line-words.ts';
import { noticeIn } from '../../../protocol/notice.ts';
import { handedIn, refusedAtDesk, roleOf, signalOf, type Happened } from './quest-notes.ts';

/** Describes a record in a line for people; null for internal records. */
export function describeRecord(happened: Happened): string | null {
  const { snapshot, record, book } = happened;
  const { fact } = record;
  // The run above it reports these.
  if (snapshot.parent !== null && (fact.kind === 'run.started' || fact.kind === 'run.settled')) return null;
  const describe = DESCRIBERS[fact.kind] as Describer<Fact> | undefined;
  const task = 'task' in fact ? book.task(fact.task) : undefined;
  return describe?.(fact, task, happened) ?? null;
}

/** `task`: the one that the fact is about. */
type Describer<F extends Fact> = (fact: F, task: KnownTask | undefined, happened: Happened) => string | null;

type Describers = { readonly [Kind in Fact['kind']]?: Describer<Extract<Fact, { readonly kind: Kind }>> };

const DESCRIBERS: Describers = {
  'run.started': () => 'begins',
  'run.resumed': ({ worker }) => (worker === undefined ? 'is taken up again' : `is taken up by ${worker}`),
  'run.continued': () => 'continues',
  'run.paused': ({ by, reason }) => `is paused by ${by}: ${logLineText(reason)}`,
  'run.cancelled': ({ by, reason }) => `is cancelled by ${by}: ${logLineText(reason)}`,
  'run.rewound': ({ to, by }) => `is put back to record ${to} by ${by}`,
  'run.forked': ({ from }) => `is a fork of ${from.run} at record ${from.seq}`,
  'run.redefined': ({ by }) => `continues with a changed definition, says ${by}`,
  'run.settled': ({ outcome, failure }) => `ends ${outcome}${because(failure)}`,
  'question.answered': ({ by, answer }) => `${by} answers: ${logLineText(jsonText(answer))}`,
  'message.added': ({ by, message }) =>
    by === undefined ? null : `${by} tells ${message.to ?? 'all'}: ${logLineText(message.content)}`,
  'limit.reached': ({ limit, allowed }) => `meets its limit of ${limit}: ${allowed}`,
  'limit.raised': ({ by, limit, allowed }) => `${by} raises the limit of ${limit} to ${allowed}`,
  'call.failed': ({ retryAt, failure }) =>
    retryAt === null ? null : `a call failed and is tried again${because(failure)}`,
  'session.noted': ({ agent, how, session, actor }) => `${agent} ${HOW[how]} session ${session} of ${actor}`,
  'tool.finished': (fact, _task, { book }) => signalText(signalOf(book, fact)) ?? handedText(handedIn(book, fact)),
  'activity.noted': ({ items }, task) => {
    const refusals = refusedAtDesk(task, items).map((one) => signalText(one.signal) ?? notTaken(one));
    return refusals.length === 0 ? null : refusals.join('; ');
  },
  'turn.nudged': (_fact, task) => `${roleOf(task)} ended without its reply and is asked again`,
  'unit.moved': ({ unit, to }) => `${unit} ${MOVED[to]}`,
  'unit.ended': ({ unit, outcome, reason }) => `${unit} is ${outcome}: ${logLineText(reason)}`,
  'units.added': ({ by, units }) => {
    const names = units.map(({ id }) => id).join(', ');
    return names === '' ? null : logLineText(by === null ? `to do: ${names}` : `${by} is split: ${names}`);
  },
  'task.started': ({ work, unit, task }, _task, { before }) => {
    if (work.kind === 'turn') return wordText(work, before);
    if (work.kind === 'ask') return `a person is asked: ${logLineText(work.question)}`;
    return work.kind === 'call' && unit !== null ? `${unit} begins (${task})` : null;
  },
  'task.ended': (fact, task) => firstLine(noticeIn(fact)) ?? endText(task, `${fact.outcome}${because(fact.failure)}`),
};

/** A role that is asked again gets something new, such as the errors or a person's answer. */
function wordText({ agent, context, input }: TurnWork, before: Happened['before']): string {
  const isAgain = (before?.contexts[context]?.messages.length ?? 0) > 0;
  return isAgain && input !== null ? `${agent} has the word again: ${logLineText(input)}` : `${agent} has the word`;
}

type TurnWork = Extract<KnownTask['work'], { readonly kind: 'turn' }>;

const firstLine = (text: string | null): string | null => text?.split('\n', 1)[0] ?? null;

const HOW = { new: 'begins', resumed: 'continues in', forked: 'continues in a copy as' } as const;

const MOVED = {
  resting: 'rests and gives its slot to others',
  returning: 'wants a slot again',
  running: 'has a slot again',
} as const;

function signalText(signal: ReturnType<typeof signalOf>): string | null {
  if (signal === null) return null;
  const { role, says, status, why = '' } = signal;
  if (status === 'refused') return notTaken({ role, name: signal.signal, why });
  const words = ['targetRole', 'summary', 'progress', 'question', 'reason'].flatMap((name) => wordsIn(says[name]));
  return [`${role}: ${signal.signal}`, ...words].join(': ');
}

function handedText(handed: ReturnType<typeof handedIn>): string | null {
  if (handed === null) return null;
  const { role, name, steps, why } = handed;
  if (why !== null) return notTaken({ role, name, why });
  return logLineText(`${role} hands in ${name}${steps.length === 0 ? '' : `: ${steps.join(', ')}`}`);
}

const notTaken = ({
  role,
  name,
  why,
}: {
  readonly role: string;
  readonly name: string;
  readonly why: string;
}): string => `${role}: ${name} is not taken: ${logLineText(why)}`;

const wordsIn = (said: Json | undefined): readonly string[] =>
  typeof said === 'string' && said !== '' ? [logLineText(said)] : [];

/** `end`: the outcome, and why. */
function endText(task: KnownTask | undefined, end: string): string | null {
  switch (task?.work.kind) {
    case 'command':
      return task.work.builtin === undefined ? wardText(end) : null;
    case 'merge':
      return end === 'ok' ? 'merged into the files of the quest' : `the merge is ${end}`;
    case 'call':
      return task.unitId === null ? null : `${task.unitId} is ${end}`;
    case 'turn':
      return end === 'ok' ? null : `${task.work.agent} is ${end}`;
    default:
      return null;
  }
}

const wardText = (end: string): string => (end === 'ok' ? 'Ward is green' : `Ward is red: ${end}`);

const because = (failure: Failure | null): string =>
  failure === null ? '' : `, ${failure.code}: ${logLineText(failure.message)}`;
