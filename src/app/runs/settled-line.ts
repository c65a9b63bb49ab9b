import { LIMIT_CODES } from '../../core/model/limits.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import type { RunRest } from '../../host/port.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import { limitOf } from '../../protocol/limit-of.ts';
import { restKind, type SettledLine } from '../../protocol/run-line.ts';
import { owedDelivery } from '../../core/step/delivery.ts';
import { Fault } from '../../core/model/fault.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { RunInfo } from '../../journal/port.ts';
import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { nextCommands } from '../../protocol/next-commands.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { existingFolder } from './find-run.ts';
import { runPicture } from './run-picture.ts';
import type { Session } from './session.ts';
import { changedTerms } from './terms.ts';

/** The line printed when a run ends, or when it can only go on after a person acts. */
export function settledLine(rest: RunRest, folder: string | null): SettledLine {
  const question = rest.questions.find((one) => one.kind === wantedKind(rest)) ?? rest.questions[0] ?? null;
  return {
    kind: restKind(rest.status),
    run: rest.run,
    status: rest.status,
    outcome: rest.outcome ?? restingOutcome(rest),
    result: rest.result,
    output: rest.output,
    usage: rest.usage,
    costUsd: rest.costUsd,
    failure: rest.failure ?? limitFailureOf(question),
    question,
    ...severalOf(rest.questions),
    folder,
  };
}

/** Left out where `question` says it all. */
export const severalOf = (questions: readonly QuestionView[]): Pick<SettledLine, 'questions'> =>
  questions.length > 1 ? { questions } : {};

const wantedKind = (rest: RunRest): QuestionView['kind'] => (rest.status === 'paused' ? 'limit' : 'ask');

/** A run that waits, or that a person paused, is left blocked; one that met a limit is left for want of quota. */
const restingOutcome = (rest: RunRest): Outcome => (rest.status === 'paused' && !isHeld(rest) ? 'quota' : 'blocked');

/** A person paused it, and no limit holds it as well. */
export const isHeld = ({ status, questions }: Resting): boolean =>
  status === 'paused' && !questions.some(({ kind }) => kind === 'limit');

interface Resting {
  readonly status: string;
  readonly questions: readonly Pick<QuestionView, 'kind'>[];
}

function limitFailureOf(question: QuestionView | null): Failure | null {
  const limit = limitOf(question);
  if (limit === null || question === null) return null;
  return { code: LIMIT_CODES[limit], message: question.text, class: 'limit' };
}

/**
 * Where a run that is resumed would stop again at once, because it waits for an answer or stands at its limit. Null where it can
 * go on, or where a wish changes it.
 */
export async function waitingLine(session: Session, info: RunInfo): Promise<SettledLine | null> {
  const { host, store } = session;
  if (info.driven) return null;
  const [snapshot, view] = await Promise.all([host.snapshot(info.run), runPicture(store.journal, info.run, null)]);
  if (isChanging(session, snapshot) || !canOnlyWait(snapshot, view)) return null;
  if (!(await isTreeAtRest(session, snapshot))) return null;
  // An answer or a higher limit may have arrived while no process drove the run.
  const inboxes = [info.run, ...view.questions.map(({ run }) => runId(run))].map((run) => store.journal.inbox(run));
  if ((await Promise.all(inboxes)).some((messages) => messages.length > 0)) return null;
  return settledLine(await host.rest(info.run), existingFolder(store.home, info.run));
}

/** No process has to drive the run: it is over, or would stop again at once. */
export async function canRest(session: Session, run: RunId): Promise<boolean> {
  const info = await session.store.journal.run(run);
  if (info === undefined || isDone(await session.host.snapshot(run))) return true;
  return (await waitingLine(session, { ...info, driven: false })) !== null;
}

/** Nothing of the run is left to be driven. */
export const isDone = (snapshot: Snapshot): boolean => snapshot.status === 'settled' && owedDelivery(snapshot) === null;

/** A run below may have been answered while no process drove it: the runs above it do not know yet. */
async function isTreeAtRest(session: Session, snapshot: Snapshot): Promise<boolean> {
  if (snapshot.status === 'settled' || !isAtRest(snapshot.clock)) return false;
  for (const { run } of openChildren(snapshot)) {
    const isBegun = (await session.store.journal.run(run)) !== undefined;
    if (isBegun && !(await isTreeAtRest(session, await session.host.snapshot(run)))) return false;
  }
  return true;
}

const isChanging = (session: Session, { terms }: Snapshot): boolean =>
  (session.wishes.models ?? []).length > 0 ||
  session.wishes.sandbox !== undefined ||
  changedTerms(session, terms) !== undefined;

/** A run with a question may have other work under way, which goes on. */
const canOnlyWait = ({ clock }: Snapshot, { status, questions }: RunView): boolean =>
  status === 'paused'
    ? questions.some((question) => limitOf(question) !== null)
    : status === 'waiting' && clock.waitsSince !== null;

export function waitingFault(line: SettledLine): Fault {
  const { run, question } = line;
  const limit = limitOf(question);
  if (question !== null && limit !== null)
    return new Fault(
      'LIMIT_REACHED',
      `Run ${run} is paused at ${line.failure?.code}: ${question.text.replace(/ Go on\?$/, '')}`,
      { hint: `Give a higher limit: troupe resume ${run} ${LIMIT_FLAGS[limit]}` },
    );
  const asked = (line.questions ?? (question === null ? [] : [question])).map(({ name, text }) => `${name}: ${text}`);
  const commands = nextCommands(line).filter((command) => command.startsWith('troupe answer '));
  const what = asked.length === 1 ? `an answer to ${asked[0]}` : `${asked.length} answers:\n  ${asked.join('\n  ')}`;
  return new Fault('RUN_WAITS', `Run ${run} waits for ${what}`, { hint: `Answer it: ${commands.join('\n  ')}` });
}
