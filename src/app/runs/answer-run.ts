import { askedMark } from '../../core/step/approval.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { Fault, isFaultOf } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import { isApproval } from '../../core/record/question-fact.ts';
import { answerVoid, checkedAnswer } from '../../host/embedded/questions.ts';
import type { Answer } from '../../host/port.ts';
import { quotedWords } from '../../protocol/quoted-words.ts';
import { refuseUnknownLevels } from '../config/choose-model.ts';
import { checkModels } from '../library/check-models.ts';
import { isAnyDriven, untilConsumed } from './inbox-wait.ts';
import { isDone } from './settled-line.ts';
import { queueRun } from './queue-run.ts';
import { changedTerms, resumeOptions, sendTerms } from './terms.ts';
import { limitAnswerProblem } from '../../protocol/operations/access.ts';
import { roleNeeded } from '../acts/require-role.ts';
import { canApprove, type Session } from './session.ts';
import type { Begin, GoingOn, PreparedAnswer } from './going-on.ts';
import { isQuestionName } from '../../core/record/question-name.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import { oneLine } from '../../protocol/plain-text.ts';

interface ChosenQuestion {
  readonly question: QuestionView;
  readonly text: string;
}

/**
 * Which open question the words of `troupe answer RUN …` are for, and what is answered. The first word names a question: by
 * its short name, its id, or a beginning of either that only one has. Else all of it is the answer to the only one there is.
 */
export function chosenQuestion(
  given: readonly string[],
  { run, questions }: { readonly run: string; readonly questions: readonly QuestionView[] },
): ChosenQuestion {
  const [first = '', ...rest] = given;
  const [only, another] = questions;
  if (only === undefined) throw nothingAsked(run);
  const named = rest.length > 0 ? namedBy(first, questions) : undefined;
  if (named !== undefined) return { question: named, text: rest.join(' ') };
  // Never taken for the beginning of an answer: it was meant for a question that somebody else has answered.
  if (rest.length > 0 && isQuestionName(first)) throw notOpen(run, first, questions);
  const text = given.join(' ');
  if (another !== undefined) throw ambiguous(run, text, questions);
  return { question: only, text };
}

/** By its name or id alone, where a program names it. */
export function openQuestion(
  named: string,
  { run, questions }: { readonly run: string; readonly questions: readonly QuestionView[] },
): QuestionView {
  const found = questions.find(({ id, name }) => id === named || name === named);
  if (found !== undefined) return found;
  throw questions.length === 0 ? nothingAsked(run) : notOpen(run, named, questions);
}

/**
 * A beginning counts only where it has the look of an id: "t shirt" is an answer, and `q1` is never the beginning of `q10`,
 * since it may be the name of a question that is closed by now.
 */
function namedBy(word: string, questions: readonly QuestionView[]): QuestionView | undefined {
  const exact = questions.find(({ id, name }) => id === word || name === word);
  if (exact !== undefined || isQuestionName(word) || !word.includes('/')) return exact;
  const matching = questions.filter(({ id, name }) => id.startsWith(word) || name.startsWith(word));
  return matching.length === 1 ? matching[0] : undefined;
}

function nothingAsked(run: string): Fault {
  return new Fault('QUESTION_CLOSED', `Run ${run} has no open question.`, { hint: `See: troupe show ${run}` });
}

function notOpen(run: string, name: string, questions: readonly QuestionView[]): Fault {
  return new Fault('QUESTION_CLOSED', `Run ${run} has no open question ${name}.`, {
    hint: `It was answered, or never asked. Open now:\n${commandLines(run, 'TEXT', questions)}`,
    facts: { open: questions.map((question) => question.name) },
  });
}

function ambiguous(run: string, text: string, questions: readonly QuestionView[]): Fault {
  return new Fault('QUESTION_AMBIGUOUS', `Run ${run} asks ${questions.length} things.`, {
    hint: `Say which of them you answer:\n${commandLines(run, text, questions)}`,
    facts: { open: questions.map((question) => question.name) },
  });
}

/** Each question with the command that answers it. */
const commandLines = (run: string, text: string, questions: readonly QuestionView[]): string =>
  questions
    .map(
      ({ name, text: asked }) => `  ${name}: ${oneLine(asked)}\n    troupe answer ${run} ${name} ${quotedWords(text)}`,
    )
    .join('\n');

/** An answer that somebody gives to an open question. */
export interface GivenAnswer extends ChosenQuestion {
  /** The run that was named: the one that asks, or one above it. */
  readonly run: RunId;
  readonly answerId: string;
  /** The files that a face showed its person, where it did. */
  readonly files?: string;
}

/** Before the run is taken over: a rejected answer leaves no record. */
export async function checkGiven(session: Session, given: GivenAnswer): Promise<void> {
  const { question, text } = given;
  refuseApproval(session, given);
  refuseRaising(session, given);
  checkedAnswer(question, text, (await session.host.snapshot(runId(question.run))).paused?.allowed);
}

/** Without the right to raise a limit, an answer cannot raise it either. ROLE_NEEDED. */
function refuseRaising({ role = 'admin' }: Session, { question, text }: GivenAnswer): void {
  const problem = question.kind === 'limit' ? limitAnswerProblem(role, text) : null;
  if (problem !== null) throw roleNeeded(problem);
}

/** To the process that drives the run; where none does, the run goes on here. The first answer counts: QUESTION_CLOSED. */
export async function answerRun(session: Session, given: GivenAnswer): Promise<GoingOn> {
  if (await isAnyDriven(session.store.journal, [runId(given.question.run)]))
    return await answerElsewhere(session, given);
  return await answerHere(session, given, { isSent: false });
}

export async function answerElsewhere(session: Session, given: GivenAnswer): Promise<GoingOn> {
  const { run } = given;
  if ((await sendTerms(session, rootRunId(run))) === 'left') return await answerHere(session, given, { isSent: false });
  await giveAnswer(session, given);
  if (!(await untilHeard(session, given))) return await answerHere(session, given, { isSent: true });
  await refuseOvertaken(session, given);
  // Whether a worker still has the run is a matter of moments; it is followed in either case.
  if (session.isLeftToWorkers) return { kind: 'queued', run: rootRunId(run), begin: () => Promise.resolve(null) };
  return { kind: 'elsewhere' };
}

/**
 * Recorded here where the run can be decided about without driving it, and driven by this process or another one. `isSent`: the
 * answer lies in the inbox, because the process that drove the run left before it took it.
 */
async function answerHere(
  session: Session,
  given: GivenAnswer,
  { isSent }: { readonly isSent: boolean },
): Promise<Begin> {
  const { host, actors } = session;
  const root = rootRunId(given.run);
  const definition = await host.definition(root);
  refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
  await checkModels(definition, actors, (await host.snapshot(root)).limits);
  const prepare = async (): Promise<PreparedAnswer> => {
    const held = await host.hold(root);
    try {
      // Before the answer, which may end the run and thereby deliver its result.
      const terms = changedTerms(session, held.snapshot.terms);
      if (terms !== undefined) await host.changeTerms(root, terms, session.by);
      const isTaken = !isSent && (await giveAnswer(session, given)) === 'taken';
      return { held, heard: isTaken ? null : () => untilTaken(session, given) };
    } catch (error) {
      await held.release();
      throw error;
    }
  };
  if (session.isLeftToWorkers)
    return { kind: 'queued', run: root, begin: () => leaveToWorkers(session, root, { prepare, isSent }) };
  const begin = async (): Promise<Fault | null> => {
    const { held, heard } = await prepare();
    const { terms: _sent, ...options } = resumeOptions(session, held.snapshot.terms);
    try {
      if (!isDone(await host.snapshot(root))) await host.resume(root, { ...options, from: held.lease });
    } finally {
      await held.release();
    }
    return (await heard?.().then(() => null, lateAnswer)) ?? null;
  };
  return { kind: 'here', run: root, begin, prepare };
}

/** An answer that only a driver can decide about waits in the inbox for the worker that takes the run. */
async function leaveToWorkers(
  session: Session,
  root: RunId,
  { prepare, isSent }: { readonly prepare: () => Promise<PreparedAnswer>; readonly isSent: boolean },
): Promise<null> {
  try {
    await (await prepare()).held.release();
  } catch (error) {
    // A worker has taken the run meanwhile, and finds what was sent.
    if (!isSent || !isFaultOf(error, 'RUN_BUSY')) throw error;
  }
  if ((await session.host.snapshot(root)).status !== 'settled') await queueRun(session, root);
  return null;
}

async function giveAnswer(session: Session, given: GivenAnswer): Promise<'taken' | 'sent'> {
  try {
    return await session.host.answer(given.run, answerOf(session, given));
  } catch (error) {
    // It came to its end in the same moment, by another's answer.
    throw isFaultOf(error, 'RUN_SETTLED') ? closed(given) : error;
  }
}

/** Another answer was first: the run goes on with that one. */
function lateAnswer(error: unknown): Fault {
  if (isFaultOf(error, 'QUESTION_CLOSED')) return error;
  throw error;
}

async function untilTaken(session: Session, given: GivenAnswer): Promise<void> {
  await untilHeard(session, given);
  await refuseOvertaken(session, given);
}

/** In a run that is over by then the words of others may lie unread for ever: whether this answer was taken is in its records. */
async function untilHeard(session: Session, given: GivenAnswer): Promise<boolean> {
  try {
    return await untilConsumed(session.store.journal, [runId(given.question.run)]);
  } catch (error) {
    if (!isFaultOf(error, 'RUN_SETTLED')) throw error;
    await refuseOvertaken(session, given);
    return true;
  }
}

/** The process that drives the run takes every message, also one that came too late to change anything. */
async function refuseOvertaken(session: Session, given: GivenAnswer): Promise<void> {
  const records = await session.store.journal.read(runId(given.question.run));
  const isOurs = ({ fact }: JournalRecord): boolean =>
    fact.kind === 'question.answered' && fact.answerId === given.answerId;
  if (records.some(isOurs)) return;
  await refuseVoid(session, given);
  throw closed(given);
}

/** The run heard the answer, and asks the question for other files now. */
async function refuseVoid({ store }: Session, given: GivenAnswer): Promise<void> {
  const { run, question } = given;
  const now = askedMark(foldRecords(await store.journal.read(runId(question.run))), ownId(given));
  if (now !== undefined && now !== question.mark) throw answerVoid(run, question);
}

/** The question's id within the run that asks. */
const ownId = ({ run, question }: GivenAnswer): string =>
  question.run === run ? question.id : question.id.slice(question.run.length - run.length);

const closed = ({ run, question }: GivenAnswer): Fault =>
  new Fault('QUESTION_CLOSED', `Question ${question.name} of run ${run} was closed before this answer arrived.`, {
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
function answerOf({ by, via }: Session, { question, text, answerId, files }: GivenAnswer): Answer {
  const mark = files ?? question.mark;
  return { question: question.id, answer: text, by, via, answerId, ...(mark === undefined ? {} : { mark }) };
}
