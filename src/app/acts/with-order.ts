import { randomUUID } from 'node:crypto';
import { isFault } from '../../core/model/fault.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { GivenInput } from '../../formats/check-input.ts';
import { given } from '../config/setting-values.ts';
import type { FoundWorkflow } from '../library/find-workflow.ts';
import { answerElsewhere, answerRun, checkGiven, type GivenAnswer, openQuestion } from '../runs/answer-run.ts';
import {
  checkResumable,
  definitionChoice,
  type DefinitionChoice,
  deliverOwed,
  resumeRun,
  type WantedDefinition,
} from '../runs/resume-run.ts';
import { forkRun, type ForkedRun } from '../runs/fork-run.ts';
import { runPicture } from '../runs/run-picture.ts';
import {
  type Asking,
  type SessionRequest,
  prepareSession,
  type Session,
  withRun,
  withSession,
} from '../runs/session.ts';
import { readyRun, startRun, toolWarnings, workflowToStart } from '../runs/start-run.ts';
import { unreachableRun } from '../runs/terms.ts';
import { waitingFault, waitingLine } from '../runs/settled-line.ts';
import type { GoingOn } from '../runs/going-on.ts';
import type { Purpose } from '../world/store.ts';

/** The progress of an order, for the process that carries it out. */
export interface Ordered {
  readonly session: Session;
  readonly taken: GoingOn;
  /** For the process that gave the order. */
  readonly answer: OrderAnswer;
  /** Where the order was to fork a run. */
  readonly forked?: ForkedRun;
}

/** A face where a person watches while the order is carried out. */
export interface OrderFace {
  /** Questions of the run can be answered here. */
  readonly canAsk: boolean;
  /** A page is served beside the run, so that this process has to drive it. */
  readonly opensPage: boolean;
  /** Which definition a run goes on with; null where its files give none but the one it began with. */
  readonly chooseDefinition: (choice: DefinitionChoice | null) => Promise<WantedDefinition>;
  /** The run would stop again at once: it is not resumed. */
  readonly showWaiting: (line: SettledLine) => void;
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
  { purpose, work, face }: CarryingOut<Result>,
): Promise<Result> {
  const asking = { ...asked, wishes: wishesIn(order) };
  if (order.kind === 'start') {
    const { workflow, input = {} } = order;
    const find = (prepared: SessionRequest): Promise<FoundWorkflow> => workflowToStart(prepared, workflow);
    return await withStart(asking, { find, input }, { purpose, work });
  }
  const named = { named: order.run, purpose, allowsChild: order.kind === 'answer' };
  return await withRun(asking, named, async (session, info) => {
    if (order.kind === 'answer') return await answered(session, order, work);
    if (order.kind === 'resume') return await resumed(session, info, { order, work, face });
    const forked = await forkRun(session, info.run, order);
    const answer: OrderAnswer = { kind: 'run.forked', run: forked.run, from: forked.from };
    return await work({ session, taken: forked, answer, forked });
  });
}

interface CarryingOut<Result> {
  readonly purpose: Exclude<Purpose, 'look'>;
  readonly work: Work<Result>;
  readonly face?: OrderFace | undefined;
}

/** An order names its wishes beside the rest. */
export const wishesIn = (order: Order): Asking['wishes'] => {
  const { models, actors, slots, labels, priority, limits, deliver, sandbox, setup } = order;
  return given({ models, actors, slots, labels, priority, limits, deliver, sandbox, setup });
};

type Of<Kind extends Order['kind']> = Extract<Order, { readonly kind: Kind }>;

export interface WantedStart {
  readonly find: (prepared: SessionRequest) => Promise<FoundWorkflow>;
  /** As it was given, or read once the workflow is known. */
  readonly input: GivenInput | ((found: FoundWorkflow) => Promise<GivenInput>);
  /** Questions of the run can be answered at this face. */
  readonly canAsk?: boolean;
}

/** The same for a new run, whichever way its workflow is found. */
export async function withStart<Result>(
  asking: Asking,
  { find, input: given, canAsk = false }: WantedStart,
  { purpose, work }: { readonly purpose: Purpose; readonly work: Work<Result> },
): Promise<Result> {
  const prepared = await prepareSession(asking, { purpose, left: 'begin' });
  const found = await find(prepared);
  const input = typeof given === 'function' ? await given(found) : given;
  const ready = await readyRun(prepared, { found, input, canAsk });
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
  { order, work, face }: Omit<CarryingOut<Result>, 'purpose'> & { readonly order: Of<'resume'> },
): Promise<Result> {
  const answer: OrderAnswer = { kind: 'run.resumed', run: info.run };
  if (info.status === 'settled') return await work({ session, taken: await deliverOwed(session, info), answer });
  const changed = await changedDefinition(session, info, { wanted: order.definition, face });
  await checkResumable(session, info.run, changed);
  const isUnchanged = changed === null && Object.keys(order.limits ?? {}).length === 0;
  if (isUnchanged && face?.canAsk !== true) await refuseWaiting(session, info, face);
  // The page would show a run that this process does not drive, and end with it.
  if (info.driven && face?.opensPage === true) throw unreachableRun(info.run, ['--web']);
  return await work({ session, taken: await resumeRun(session, info, changed), answer });
}

async function refuseWaiting(session: Session, info: RunInfo, face: OrderFace | undefined): Promise<void> {
  const waits = await waitingLine(session, info);
  if (waits === null) return;
  face?.showWaiting(waits);
  throw waitingFault(waits);
}

/** The definition that the run goes on with, where it is a new one. */
async function changedDefinition(
  session: Session,
  info: RunInfo,
  { wanted, face }: { readonly wanted: WantedDefinition | undefined; readonly face: OrderFace | undefined },
): Promise<Definition | null> {
  if (wanted !== 'new' && face === undefined) return null;
  const choice = await definitionChoice(session, info, wanted);
  const chosen = face === undefined ? wanted : await face.chooseDefinition(choice);
  return chosen === 'new' ? (choice?.now.definition ?? null) : null;
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
    answerId: randomUUID(),
    ...(files === undefined ? {} : { files }),
  };
}
