import { askedMark } from '../../core/approval.ts';
import { Fault, isFault } from '../../core/fault.ts';
import { readAnswer } from '../../core/check-answer.ts';
import { foldRecords } from '../../core/fold.ts';
import { runId, type RunId } from '../../core/ids.ts';
import { jsonEqual } from '../../core/json-equal.ts';
import { isApproval, SURFACES, type Surface } from '../../core/question-fact.ts';
import { answerVoid, checkedAnswer } from '../../host/embedded/questions.ts';
import type { Answer } from '../../host/port.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { Invocation } from '../command-spec.ts';
import { refuseUnknownLevels } from '../../app/config/choose-model.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from '../files/with-run.ts';
import { flag, textOption, words } from '../invocation.ts';
import { checkModels } from '../../app/library/check-models.ts';
import { chosenQuestion, type ChosenQuestion } from '../../app/runs/chosen-question.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { printAndDrive, type Driving } from '../session/driving.ts';
import { personName } from '../../app/runs/person-name.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import { resumeOptions } from '../../app/runs/terms.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { sendTerms } from '../../app/runs/send-terms.ts';
import { quotedWords } from '../../protocol/quoted-words.ts';
import { faultText } from '../terminal/fault-text.ts';

/**
 * `troupe answer RUN [QUESTION] TEXT`: to whoever drives the run; where nobody does, the run goes on here, or with `--detach` in
 * the background. The first answer counts, and whoever comes second is told so.
 */
export async function answerCommand(invocation: Invocation): Promise<number> {
  try {
    return await withRunOrChild(invocation, async (driving, { run }) => {
      const view = await runPicture(driving.store.journal, run, null);
      return await answer(driving, { run, ...chosenQuestion(words(invocation, 1), view) });
    });
  } catch (error) {
    reportRefused(invocation.terminal, error);
    throw error;
  }
}

interface Given extends ChosenQuestion {
  /** The run that was named: the one that asks, or one above it. */
  readonly run: RunId;
}

async function answer(driving: Driving, given: Given): Promise<number> {
  const { store, invocation, host } = driving;
  refuseApproval(invocation, given);
  // Before the run is taken over: a rejected answer leaves no record.
  checkedAnswer(given.question, given.text, (await host.snapshot(runId(given.question.run))).paused?.allowed);
  if ((await store.journal.run(rootRun(given.run)))?.driven === true) return await tellDriver(driving, given);
  if (flag(invocation, 'detach')) {
    await startDetached(invocation, store.home);
    return tellTaken(invocation, given);
  }
  try {
    return await driveOn(driving, given);
  } catch (error) {
    // Somebody else took the run up in the same moment.
    if (isCode(error, 'RUN_BUSY')) return await tellDriver(driving, given);
    throw isCode(error, 'RUN_SETTLED') ? closed(given) : error;
  }
}

/** `isSent`: the answer lies in the inbox, because the process that drove the run left before it took it. */
async function driveOn(driving: Driving, given: Given, { isSent = false } = {}): Promise<number> {
  const { host, actors, invocation } = driving;
  const root = rootRun(given.run);
  const definition = await host.definition(root);
  refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
  await checkModels(definition, actors, (await host.snapshot(root)).limits);
  return await printAndDrive(driving, root, async () => {
    await host.resume(root, resumeOptions(driving, (await host.snapshot(root)).terms));
    if (!isSent && !(await giveAnswer(driving, given))) return root;
    // A child is taken up a little later than its root; till then its answer lies in the inbox.
    await untilHeard(driving, given);
    await refuseVoid(driving, given);
    reportStarted(invocation.terminal, root);
    return root;
  });
}

/** False where somebody else was first: whoever took the run up drives it all the same. */
async function giveAnswer({ host, invocation }: Driving, { run, question, text }: Given): Promise<boolean> {
  try {
    await host.answer(run, answerOf(invocation, question, text));
    return true;
  } catch (error) {
    if (!isCode(error, 'QUESTION_CLOSED')) throw error;
    reportRefused(invocation.terminal, error);
    invocation.terminal.stderr.write(`${faultText(error)}\n`);
    return false;
  }
}

async function tellDriver(driving: Driving, given: Given): Promise<number> {
  const { host, invocation } = driving;
  const { run, question, text } = given;
  if ((await sendTerms(driving, rootRun(run))) === 'left') return await driveOn(driving, given);
  try {
    await host.answer(run, answerOf(invocation, question, text));
  } catch (error) {
    // It came to its end in the same moment, by another's answer.
    throw isCode(error, 'RUN_SETTLED') ? closed(given) : error;
  }
  if (!(await untilHeard(driving, given))) return await driveOn(driving, given, { isSent: true });
  await refuseOvertaken(driving, given);
  reportStarted(invocation.terminal, rootRun(run));
  return tellTaken(invocation, given);
}

/** In a run that is over by then the words of others may lie unread for ever: whether this answer was taken is in its records. */
async function untilHeard(driving: Driving, given: Given): Promise<boolean> {
  try {
    return await untilConsumed(driving.store.journal, [runId(given.question.run)]);
  } catch (error) {
    if (!isCode(error, 'RUN_SETTLED')) throw error;
    await refuseOvertaken(driving, given);
    return true;
  }
}

/** Whoever drives the run takes every message, also one that came too late to change anything. */
async function refuseOvertaken(driving: Driving, given: Given): Promise<void> {
  const { store, invocation } = driving;
  const { run, question, text } = given;
  const asking = runId(question.run);
  const own = ownId(given);
  const records = await store.journal.read(asking);
  const taken = records.findLast(({ fact }) => fact.kind === 'question.answered' && fact.question === own)?.fact;
  const read = readAnswer(question, text);
  const isOurs =
    taken?.kind === 'question.answered' &&
    taken.by === whoSays(invocation) &&
    jsonEqual(taken.answer, read.ok ? read.answer : text);
  if (isOurs) return;
  await refuseVoid(driving, given);
  throw closed({ run, question });
}

/** The run heard the answer, and asks the question for other files now. */
async function refuseVoid({ store }: Driving, given: Given): Promise<void> {
  const { run, question } = given;
  const now = askedMark(foldRecords(await store.journal.read(runId(question.run))), ownId(given));
  if (now !== undefined && now !== question.mark) throw answerVoid(run, question);
}

/** What the run that asks calls the question itself. */
const ownId = ({ run, question }: Given): string =>
  question.run === run ? question.id : question.id.slice(question.run.length - run.length);

const closed = ({ run, question }: Pick<Given, 'run' | 'question'>): Fault =>
  new Fault('QUESTION_CLOSED', `Question ${question.name} of run ${run} was closed before this answer came.`, {
    hint: `Somebody else has answered it, or the run has ended. See: troupe show ${run}`,
  });

function tellTaken({ terminal, options }: Invocation, { question }: Given): number {
  const asking = runId(question.run);
  if (options['json'] === true)
    terminal.stdout.write(`${JSON.stringify({ kind: 'answer.taken', run: asking, question: question.id })}\n`);
  else terminal.stderr.write(`Answered. Follow the run with: troupe watch ${rootRun(asking)}\n`);
  return EXIT.ok;
}

/** An agent that drives Troupe over MCP approves nothing, unless its user allowed that when starting the server ([V3]). */
function refuseApproval(invocation: Invocation, { run, question, text }: Given): void {
  const isAllowed = textOption(invocation, 'via') !== 'mcp' || flag(invocation, 'allowApprovals');
  if (isAllowed || !isApproval(question)) return;
  throw new Fault(
    'APPROVAL_BY_PERSON',
    `Question ${question.name} of run ${run} is an approval: a person answers it.`,
    {
      hint: `The person runs: troupe answer ${run} ${question.name} ${quotedWords(text)}\nOr allows it for all runs: troupe mcp --allow-approvals`,
    },
  );
}

/** Files that a face names are those that its person saw. */
function answerOf(invocation: Invocation, question: QuestionView, answer: string): Answer {
  const mark = textOption(invocation, 'files') ?? question.mark;
  return {
    question: question.id,
    answer,
    by: whoSays(invocation),
    via: surfaceOf(invocation),
    ...(mark === undefined ? {} : { mark }),
  };
}

function surfaceOf(invocation: Invocation): Surface {
  const named = SURFACES.find((one) => one === textOption(invocation, 'via'));
  return named ?? (invocation.terminal.stdin.isTTY === true ? 'terminal' : 'script');
}

const whoSays = (invocation: Invocation): string => textOption(invocation, 'by') ?? personName();

const isCode = (error: unknown, code: string): error is Fault => isFault(error) && error.code === code;
