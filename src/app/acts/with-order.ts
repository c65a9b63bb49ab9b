import { isFault } from '../../core/fault.ts';
import { runId, type RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { GivenInput } from '../../dialects/check-input.ts';
import type { FoundWorkflow } from '../library/find-workflow.ts';
import { answerElsewhere, answerRun, checkGiven, type GivenAnswer } from '../runs/answer-run.ts';
import { openQuestion } from '../runs/chosen-question.ts';
import { definitionChoice } from '../runs/definition-choice.ts';
import { forkRun } from '../runs/fork-run.ts';
import { checkResumable, deliverOwed, resumeRun } from '../runs/resume-run.ts';
import { runPicture } from '../runs/run-picture.ts';
import { prepareSession, withSession, type Asking, type Preparation, type Session } from '../runs/session.ts';
import { readyRun, startRun, toolWarnings, workflowToStart } from '../runs/start-run.ts';
import { waitingFault, waitingLine } from '../runs/still-waiting.ts';
import type { GoingOn } from '../runs/going-on.ts';
import { withRun } from '../runs/with-run.ts';
import type { Purpose } from '../world/purpose.ts';

/** What an order has come to so far, for the process that carries it out. */
export interface Ordered {
  readonly session: Session;
  readonly taken: GoingOn;
  /** For the process that gave the order. */
  readonly answer: OrderAnswer;
}

export interface OrderAnswer {
  readonly kind: 'run.started' | 'run.resumed' | 'run.forked' | 'answer.taken';
  readonly run: RunId;
  readonly question?: string;
  readonly from?: { readonly run: RunId; readonly seq: number };
}

type Work<Result> = (ordered: Ordered) => Promise<Result>;

/** Checks an order and opens what it is about; `drive` where this process drives the run, `pass` where another one will. */
export async function withOrder<Result>(
  asked: Asking,
  order: Order,
  { purpose, work }: { readonly purpose: Exclude<Purpose, 'look'>; readonly work: Work<Result> },
): Promise<Result> {
  const asking = { ...asked, wishes: wishesIn(order) };
  if (order.kind === 'start') {
    const { workflow, input = {} } = order;
    const find = (prepared: Preparation): Promise<FoundWorkflow> => workflowToStart(prepared, workflow);
    return await withStart(asking, { find, input }, { purpose, work });
  }
  const named = { named: order.run, purpose, allowsChild: order.kind === 'answer' };
  return await withRun(asking, named, async (session, info) => {
    if (order.kind === 'answer') return await answered(session, order, work);
    if (order.kind === 'resume') return await resumed(session, info, { order, work });
    const forked = await forkRun(session, info.run, order);
    return await work({ session, taken: forked, answer: { kind: 'run.forked', run: forked.run, from: forked.from } });
  });
}

/** An order names its wishes beside the rest. */
export const wishesIn = ({ models, actors, slots, limits, deliver, sandbox, setup }: Order): Asking['wishes'] => ({
  ...(models === undefined ? {} : { models }),
  ...(actors === undefined ? {} : { actors }),
  ...(slots === undefined ? {} : { slots }),
  ...(limits === undefined ? {} : { limits }),
  ...(deliver === undefined ? {} : { deliver }),
  ...(sandbox === undefined ? {} : { sandbox }),
  ...(setup === undefined ? {} : { setup }),
});

type Of<Kind extends Order['kind']> = Extract<Order, { readonly kind: Kind }>;

export interface WantedStart {
  readonly find: (prepared: Preparation) => Promise<FoundWorkflow>;
  readonly input: GivenInput;
}

/** The same for a new run, whichever way its workflow is found. */
export async function withStart<Result>(
  asking: Asking,
  { find, input }: WantedStart,
  { purpose, work }: { readonly purpose: Purpose; readonly work: Work<Result> },
): Promise<Result> {
  const prepared = await prepareSession(asking, { purpose });
  const found = await find(prepared);
  const ready = await readyRun(prepared, { found, input, canAsk: false });
  return await withSession(prepared, async (session) => {
    for (const problem of [...found.warnings, ...toolWarnings(session, ready.definition)])
      asking.tell(problemText(problem));
    const taken = startRun(session, ready);
    return await work({ session, taken, answer: { kind: 'run.started', run: taken.run } });
  });
}

async function resumed<Result>(
  session: Session,
  info: RunInfo,
  { order, work }: { readonly order: Of<'resume'>; readonly work: Work<Result> },
): Promise<Result> {
  const answer: OrderAnswer = { kind: 'run.resumed', run: info.run };
  if (info.status === 'settled') return await work({ session, taken: await deliverOwed(session, info), answer });
  const choice = order.definition === 'new' ? await definitionChoice(session, info, 'new') : null;
  const changed = choice?.now.definition ?? null;
  await checkResumable(session, info.run, changed);
  const isUnchanged = changed === null && Object.keys(order.limits ?? {}).length === 0;
  const waits = isUnchanged ? await waitingLine(session, info) : null;
  if (waits !== null) throw waitingFault(waits);
  return await work({ session, taken: await resumeRun(session, info, changed), answer });
}

async function answered<Result>(session: Session, order: Of<'answer'>, work: Work<Result>): Promise<Result> {
  const given = await givenAnswer(session, order);
  await checkGiven(session, given);
  const { question } = given;
  const answer: OrderAnswer = { kind: 'answer.taken', run: runId(question.run), question: question.id };
  try {
    return await work({ session, taken: await answerRun(session, given), answer });
  } catch (error) {
    // Another process took the run up in the same moment.
    if (!isFault(error) || error.code !== 'RUN_BUSY') throw error;
    return await work({ session, taken: await answerElsewhere(session, given), answer });
  }
}

async function givenAnswer({ store }: Session, { run, question, text, files }: Of<'answer'>): Promise<GivenAnswer> {
  const view = await runPicture(store.journal, runId(run), null);
  return {
    run: runId(run),
    question: openQuestion(question, view),
    text,
    ...(files === undefined ? {} : { files }),
  };
}
