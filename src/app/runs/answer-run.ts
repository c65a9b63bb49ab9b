import { askedMark } from '../../core/approval.ts';
import { readAnswer } from '../../core/check-answer.ts';
import { Fault, isFault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import { runId, type RunId } from '../../core/ids.ts';
import { jsonEqual } from '../../core/json-equal.ts';
import { isApproval } from '../../core/question-fact.ts';
import { answerVoid, checkedAnswer } from '../../host/embedded/questions.ts';
import type { Answer } from '../../host/port.ts';
import { quotedWords } from '../../protocol/quoted-words.ts';
import { refuseUnknownLevels } from '../config/choose-model.ts';
import { checkModels } from '../library/check-models.ts';
import type { ChosenQuestion } from './chosen-question.ts';
import { untilConsumed } from './inbox-wait.ts';
import { rootRun } from './root-run.ts';
import { sendTerms } from './send-terms.ts';
import { canApprove, type Session } from './session.ts';
import type { Begin, GoingOn } from './going-on.ts';
import { resumeOptions } from './terms.ts';

/** An answer that somebody gives to an open question. */
export interface GivenAnswer extends ChosenQuestion {
  /** The run that was named: the one that asks, or one above it. */
  readonly run: RunId;
  /** The files that a face showed its person, where it did. */
  readonly files?: string;
}

/** Before the run is taken over: a rejected answer leaves no record. */
export async function checkGiven(session: Session, given: GivenAnswer): Promise<void> {
  const { question, text } = given;
  refuseApproval(session, given);
  checkedAnswer(question, text, (await session.host.snapshot(runId(question.run))).paused?.allowed);
}

/** To the process that drives the run; where none does, the run goes on here. The first answer counts: QUESTION_CLOSED. */
export async function answerRun(session: Session, given: GivenAnswer): Promise<GoingOn> {
  const isDriven = (await session.store.journal.run(rootRun(given.run)))?.driven === true;
  if (isDriven) return await answerElsewhere(session, given);
  const here = await answerHere(session, given, { isSent: false });
  const begin = async (): Promise<Fault | null> => {
    try {
      return await here.begin();
    } catch (error) {
      throw isCode(error, 'RUN_SETTLED') ? closed(given) : error;
    }
  };
  return { ...here, begin };
}

export async function answerElsewhere(session: Session, given: GivenAnswer): Promise<GoingOn> {
  const { run } = given;
  if ((await sendTerms(session, rootRun(run))) === 'left') return await answerHere(session, given, { isSent: false });
  try {
    await session.host.answer(run, answerOf(session, given));
  } catch (error) {
    // It came to its end in the same moment, by another's answer.
    throw isCode(error, 'RUN_SETTLED') ? closed(given) : error;
  }
  if (!(await untilHeard(session, given))) return await answerHere(session, given, { isSent: true });
  await refuseOvertaken(session, given);
  return { kind: 'elsewhere' };
}

/** `isSent`: the answer lies in the inbox, because the process that drove the run left before it took it. */
async function answerHere(
  session: Session,
  given: GivenAnswer,
  { isSent }: { readonly isSent: boolean },
): Promise<Begin> {
  const { host, actors } = session;
  const root = rootRun(given.run);
  const definition = await host.definition(root);
  refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
  await checkModels(definition, actors, (await host.snapshot(root)).limits);
  const begin = async (): Promise<Fault | null> => {
    await host.resume(root, resumeOptions(session, (await host.snapshot(root)).terms));
    const late = isSent ? null : await giveAnswer(session, given);
    if (late !== null) return late;
    // A child is taken up a little later than its root; till then its answer lies in the inbox.
    await untilHeard(session, given);
    await refuseVoid(session, given);
    return null;
  };
  const heard = async (): Promise<void> => {
    await untilHeard(session, given);
    await refuseOvertaken(session, given);
  };
  return { kind: 'here', run: root, begin, ...(isSent ? { heard } : {}) };
}

/** A fault where somebody else was first: the run, taken up by now, is driven all the same. */
async function giveAnswer(session: Session, given: GivenAnswer): Promise<Fault | null> {
  try {
    await session.host.answer(given.run, answerOf(session, given));
    return null;
  } catch (error) {
    if (isCode(error, 'QUESTION_CLOSED')) return error;
    throw error;
  }
}

/** In a run that is over by then the words of others may lie unread for ever: whether this answer was taken is in its records. */
async function untilHeard(session: Session, given: GivenAnswer): Promise<boolean> {
  try {
    return await untilConsumed(session.store.journal, [runId(given.question.run)]);
  } catch (error) {
    if (!isCode(error, 'RUN_SETTLED')) throw error;
    await refuseOvertaken(session, given);
    return true;
  }
}

/** The process that drives the run takes every message, also one that came too late to change anything. */
async function refuseOvertaken(session: Session, given: GivenAnswer): Promise<void> {
  const { store, by } = session;
  const { question, text } = given;
  const asking = runId(question.run);
  const own = ownId(given);
  const records = await store.journal.read(asking);
  const taken = records.findLast(({ fact }) => fact.kind === 'question.answered' && fact.question === own)?.fact;
  const read = readAnswer(question, text);
  const isOurs =
    taken?.kind === 'question.answered' && taken.by === by && jsonEqual(taken.answer, read.ok ? read.answer : text);
  if (isOurs) return;
  await refuseVoid(session, given);
  throw closed(given);
}

/** The run heard the answer, and asks the question for other files now. */
async function refuseVoid({ store }: Session, given: GivenAnswer): Promise<void> {
  const { run, question } = given;
  const now = askedMark(foldRecords(await store.journal.read(runId(question.run))), ownId(given));
  if (now !== undefined && now !== question.mark) throw answerVoid(run, question);
}

/** What the run that asks calls the question itself. */
const ownId = ({ run, question }: GivenAnswer): string =>
  question.run === run ? question.id : question.id.slice(question.run.length - run.length);

const closed = ({ run, question }: GivenAnswer): Fault =>
  new Fault('QUESTION_CLOSED', `Question ${question.name} of run ${run} was closed before this answer came.`, {
    hint: `Somebody else has answered it, or the run has ended. See: troupe show ${run}`,
  });

function refuseApproval(session: Session, { run, question, text }: GivenAnswer): void {
  if (canApprove(session) || !isApproval(question)) return;
  throw new Fault(
    'APPROVAL_BY_PERSON',
    `Question ${question.name} of run ${run} is an approval: a person answers it.`,
    {
      hint: `The person runs: troupe answer ${run} ${question.name} ${quotedWords(text)}\nOr allows it for all runs: troupe mcp --allow-approvals`,
    },
  );
}

/** Files that a face names are those that its person saw. */
function answerOf({ by, via }: Session, { question, text, files }: GivenAnswer): Answer {
  const mark = files ?? question.mark;
  return { question: question.id, answer: text, by, via, ...(mark === undefined ? {} : { mark }) };
}

const isCode = (error: unknown, code: string): error is Fault => isFault(error) && error.code === code;
