import { subAgentTask } from '../../fold/open-children.ts';
import type { Snapshot } from '../../fold/snapshot.ts';
import { notReported } from '../../fold/tree-cost.ts';
import { takeKept } from './answer-permission.ts';
import { lookWhenStill } from '../approval.ts';
import { endTask } from '../end-task.ts';
import type { Summarising, TurnProgress } from '../../fold/turn-state.ts';
import { endSummary, relieve, relieveOverflow, stuckSummary } from './compaction.ts';
import type { Event, RequestFull } from '../../model/event.ts';
import type { CallAnswered, ToolFinished } from '../../record/call-fact.ts';
import type { TaskId } from '../../model/ids.ts';
import type { Json } from '../../model/json.ts';
import { mayCall, reach } from '../../model/limits.ts';
import type { Message, ToolCall } from '../../model/message.ts';
import {
  askAgain,
  replyDoubtText,
  lacksReply,
  RECEIPT,
  rejectedText,
  replyOwed,
  returnedText,
  turnOf,
  wrongReply,
} from './owed-reply.ts';
import { CONTEXT_OVERFLOW, outcomeOf, type Failure } from '../../model/outcome.ts';
import { MOST_UNCHANGED, noChanges, unchangedText } from './owed-changes.ts';
import { needsPermission, permitOf } from './permit.ts';
import type { StepProgress } from '../progress.ts';
import type { Role } from '../../model/role.ts';
import { DEFAULT_RETRY, retryDelayMs } from '../retry.ts';
import type { Task } from '../../fold/snapshot.ts';
import { isUnchanged } from './turn-progress.ts';

/** The model answered. Parsing calls end the turn, other calls are run, text alone is the answer. */
export function callAnswered(progress: StepProgress, event: CallAnswered): void {
  const task = openTurn(progress, event);
  if (task === null) return;
  progress.record(event);
  if (task.turn?.summary !== undefined) return heardSummary(progress, task, { summary: task.turn.summary, event });
  const calls = event.message.toolCalls ?? [];
  const heard = sortCalls(progress, task, event);
  if (heard.taken.length > 0) return takeAnswer(progress, task, { calls, taken: heard.taken });
  const failure = unchangedFailure(progress, task, event) ?? lastFailure(task, heard);
  if (failure !== null) return failTurn(progress, task, failure);
  if (calls.length === 0) askForChanges(progress, task, event);
  for (const call of calls) hear(progress, task, { ...heard, call });
  lookWhenStill(progress, task.id);
}

/** A summary is no step of the agent: the turn continues by itself. */
function heardSummary(
  progress: StepProgress,
  task: Task,
  { summary, event }: { readonly summary: Summarising; readonly event: CallAnswered },
): void {
  const failure = stuckSummary(task, summary, event);
  if (failure !== null) failTurn(progress, task, failure);
}

/** A refused reply says it in its result; after text the engine has to send a message. */
function askForChanges(progress: StepProgress, task: Task, event: CallAnswered): void {
  if (!isUnchanged(event)) return;
  const text = unchangedText(turnOf(task)?.changes);
  progress.record({ kind: 'turn.nudged', task: task.id, text, why: 'NO_CHANGES' });
}

function unchangedFailure(progress: StepProgress, task: Task, event: CallAnswered): Failure | null {
  const times = progress.task(task.id)?.turn?.unchanged ?? 0;
  return isUnchanged(event) && times >= MOST_UNCHANGED ? noChanges(agentName(task), task.state) : null;
}

/** Why a reply that cannot be accepted is not sent back any more. */
function lastFailure(task: Task, { structured, wrong, rejected }: SortedCalls): Failure | null {
  const { turn } = task;
  if (wrong.size > 0 && turn?.isNudged === true) return replyOwed(task);
  const unfit = structured.find(({ id }) => rejected.has(id) && !wrong.has(id));
  return unfit !== undefined && turn?.corrected === true ? invalidReply(unfit, rejected) : null;
}

interface SortedCalls {
  /** The structured replies, and those of them that end the turn. */
  readonly structured: readonly ToolCall[];
  readonly taken: readonly ToolCall[];
  /** By the id of the call: why it is not the owed reply, why it does not fit, what to correct, what is missing. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly rejected: ReadonlyMap<string, string>;
  readonly returned: ReadonlyMap<string, string>;
  readonly refused: ReadonlyMap<string, string>;
}

const NO_CALLS: SortedCalls = {
  structured: [],
  taken: [],
  wrong: new Map(),
  rejected: new Map(),
  returned: new Map(),
  refused: new Map(),
};

function sortCalls(progress: StepProgress, task: Task, event: CallAnswered): SortedCalls {
  const { toolCalls = [] } = event.message;
  if (toolCalls.length === 0) return NO_CALLS;
  const parsing = parsingTools(progress, task);
  const structured = toolCalls.filter((call) => parsing.has(call.name));
  const [rejected, returned, refused] = [
    problemsIn(event.rejected),
    problemsIn(event.returned),
    problemsIn(event.refused),
  ];
  const wrong = new Map(structured.flatMap((call) => wrongOf(task, call)));
  const taken = structured.filter(({ id }) => ![rejected, returned, refused, wrong].some((list) => list.has(id)));
  return { structured, taken, wrong, rejected, returned, refused };
}

/** A model chooses the ids, so inherited properties such as `toString` must not be found. */
const problemsIn = (byId: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> =>
  byId === undefined ? NO_PROBLEMS : new Map(Object.entries(byId));

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

function wrongOf(task: Task, { id, name }: ToolCall): readonly (readonly [string, string])[] {
  const why = wrongReply(turnOf(task) ?? {}, name);
  return why === null ? [] : [[id, why]];
}

function hear(progress: StepProgress, task: Task, heard: SortedCalls & { readonly call: ToolCall }): void {
  const { call, structured } = heard;
  const why = heard.wrong.get(call.id);
  const reason = heard.rejected.get(call.id);
  const fault = heard.returned.get(call.id);
  const missing = heard.refused.get(call.id);
  if (why !== undefined) refuseWrong(progress, task, { call, why });
  else if (fault !== undefined) giveBack(progress, task, { call, fault });
  else if (missing !== undefined) doubt(progress, task, { call, missing });
  else if (reason === undefined) askOrRun(progress, task, call);
  else refuse(progress, task, { call, reason, isParsing: structured.includes(call) });
}

/** The task whose call this answers, or null when the answer is stale. */
function openTurn(
  progress: StepProgress,
  event: { readonly task: TaskId; readonly call: number; readonly attempt: number },
): Task | null {
  const task = progress.task(event.task);
  return task !== undefined && task.turn !== null && isOpenCall(task.turn, event) ? task : null;
}

function isOpenCall(turn: TurnProgress, event: { readonly call: number; readonly attempt: number }): boolean {
  return turn.phase === 'calling' && turn.call === event.call && turn.attempt === event.attempt;
}

export function agentName(task: Task): string {
  return task.work.kind === 'turn' ? task.work.agent : '';
}

function parsingTools(progress: StepProgress, task: Task): ReadonlySet<string> {
  return new Set(roleOf(progress, task)?.parsingTools.map((tool) => tool.name));
}

function roleOf(progress: StepProgress, task: Task): Role | undefined {
  const agent = progress.workflow.agents.find((one) => one.name === agentName(task));
  return agent === undefined ? undefined : progress.definition.roles[agent.role];
}

function takeAnswer(
  progress: StepProgress,
  task: Task,
  answer: { calls: readonly ToolCall[]; taken: readonly ToolCall[] },
): void {
  const [first] = answer.taken;
  for (const call of answer.calls) {
    const accepted = answer.taken.includes(call);
    const content = accepted ? RECEIPT : `Not run: the turn ended with ${first?.name}.`;
    progress.record({ ...toolFact(task, call, content), isError: !accepted, ...(accepted ? { accepted } : {}) });
  }
  endTurnWith(progress, task, first?.arguments ?? null);
}

function refuse(
  progress: StepProgress,
  task: Task,
  refusal: { call: ToolCall; reason: string; isParsing: boolean },
): void {
  const content = rejectedText(refusal.call.name, refusal.reason);
  progress.record({
    ...toolFact(task, refusal.call, content),
    isError: true,
    ...(refusal.isParsing ? { accepted: false } : {}),
  });
}

/** Counts as the one time that the reply is requested again. */
function refuseWrong(progress: StepProgress, task: Task, { call, why }: { call: ToolCall; why: string }): void {
  progress.record({ ...toolFact(task, call, why), isError: true, refused: 'REPLY_OWED' });
}

/** Its author corrects it in the same turn. */
function giveBack(progress: StepProgress, task: Task, { call, fault }: { call: ToolCall; fault: string }): void {
  const content = returnedText(call.name, fault);
  progress.record({ ...toolFact(task, call, content), isError: true, refused: 'REPLY_RETURNED' });
}

/** The agent claimed to be done and the engine saw that it is not: the agent learns what is missing, and continues (L4). */
function doubt(progress: StepProgress, task: Task, { call, missing }: { call: ToolCall; missing: string }): void {
  const content = replyDoubtText(call.name, missing);
  progress.record({ ...toolFact(task, call, content), isError: true, refused: 'EVIDENCE_MISSING' });
  if ((progress.task(task.id)?.turn?.doubts ?? 0) < MOST_DOUBTS) return;
  const message = `${agentName(task)} said ${MOST_DOUBTS} times that it is done, and it is not. ${missing}`;
  failTurn(progress, task, { code: 'EVIDENCE_MISSING', message, class: 'bad-reply' });
}

/** An agent that only repeats its claim will not finish the work. */
const MOST_DOUBTS = 10;

function toolFact(task: Task, call: ToolCall, content: string): ToolFinished {
  return { kind: 'tool.finished', task: task.id, toolCall: call.id, content, isError: false, ms: 0 };
}

function askOrRun(progress: StepProgress, task: Task, toolCall: ToolCall): void {
  const permit = permitOf(agentName(task), toolCall.name);
  if (needsPermission(roleOf(progress, task), permit, progress.snapshot)) {
    return progress.record({ kind: 'permission.asked', task: task.id, toolCall: toolCall.id });
  }
  progress.emit({ kind: 'tool.run', task: task.id, agent: agentName(task), toolCall });
}

function invalidReply(call: ToolCall, rejected: ReadonlyMap<string, string>): Failure {
  const reason = rejected.get(call.id) ?? '';
  return {
    code: 'INVALID_REPLY',
    message: `The structured reply ${call.name} did not fit its schema, also after it was sent back: ${reason}`,
    class: 'bad-reply',
  };
}

/** Continues the turn as far as it can go by itself. */
export function continueTurn(progress: StepProgress, task: Task): void {
  if (task.turn?.phase === 'waiting') return retryDue(progress, task);
  if (task.turn?.phase !== 'ready') return;
  if (task.turn.summary === undefined) nextCall(progress, task, task.turn);
  else afterSummary(progress, task, task.turn.summary);
}

/** Nothing is owed: either the turn is over, or the model is called again with the results. */
function nextCall(progress: StepProgress, task: Task, turn: TurnProgress): void {
  const last = turn.messages.items[turn.messages.length - 1];
  if (!hasNews(turn, last)) {
    const text = last?.content ?? '';
    if (!lacksReply(task, text)) return endTurnWith(progress, task, text);
    if (turn.isNudged === true) return failTurn(progress, task, replyOwed(task));
    progress.record({ kind: 'turn.nudged', task: task.id, text: askAgain(turnOf(task)?.reply ?? []) });
  }
  const { limits } = progress.snapshot;
  const used = turn.call - (turn.summaryCalls ?? 0);
  if (used >= limits.toolRounds) {
    return reach(progress, { limit: 'toolRounds', allowed: limits.toolRounds, used, state: task.state });
  }
  startCall(progress, task, turn.call + 1);
}

/** Summarises the next part of the conversation, or continues the turn with the whole summary. */
function afterSummary(progress: StepProgress, task: Task, summary: Summarising): void {
  if (summary.left === 0) endSummary(progress, task, summary);
  startCall(progress, task, (task.turn?.call ?? 0) + 1);
}

function startCall(progress: StepProgress, task: Task, call: number): void {
  if (!mayCall(progress)) return;
  progress.record({ kind: 'call.started', task: task.id, call });
  progress.emit({ kind: 'actor.call', task: task.id, agent: agentName(task), call, attempt: 1 });
}

/** Something new for the model: a result, a message of the engine after its answer, or a person's message before the turn ended. */
const hasNews = (turn: TurnProgress, last: Message | undefined): boolean =>
  last?.role === 'tool' || last?.author === 'troupe' || turn.told !== undefined;

function endTurnWith(progress: StepProgress, task: Task, output: Json): void {
  endTask(progress, task.id, { outcome: 'ok', output, failure: null });
}

function failTurn(progress: StepProgress, task: Task, failure: Failure): void {
  endTask(progress, task.id, { outcome: outcomeOf(failure), output: null, failure });
}

export function callFailed(progress: StepProgress, event: Extract<Event, { kind: 'call.failed' }>): void {
  const task = openTurn(progress, event);
  if (task === null) return;
  const failure = event.failure.code === CONTEXT_OVERFLOW ? relieveOverflow(progress, task, event) : event.failure;
  if (failure === null) return;
  const state = progress.workflow.states[task.state];
  const policy = (state?.kind === 'work' ? state.retry : null) ?? progress.definition.retry ?? DEFAULT_RETRY;
  const key = `${progress.snapshot.run}/${task.id}/${event.call}`;
  const delay = retryDelayMs(policy, event.failure, { number: triesSoFar(task, event), key });
  const retryAt = delay === null ? null : progress.at + delay;
  progress.record({ ...event, retryAt });
  if (retryAt === null) return failTurn(progress, task, failure);
  progress.emit({ kind: 'timer.set', timer: `${task.id}/retry`, at: retryAt });
}

/** Waits for a quota and smaller requests do not count as tries of other failures, and the reverse. */
function triesSoFar({ turn }: Task, { attempt, failure }: Extract<Event, { kind: 'call.failed' }>): number {
  const { quotaWaits = 0, reliefs = 0 } = turn ?? {};
  return failure.class === 'quota' ? quotaWaits + 1 : attempt - quotaWaits - reliefs;
}

/** A retry that falls due while the run is paused starts when it continues. */
export function retryDue(progress: StepProgress, task: Task): void {
  const turn = task.turn;
  if (turn === null || turn.phase !== 'waiting' || turn.retryAt === null || progress.at < turn.retryAt) return;
  if (!mayCall(progress)) return;
  const attempt = turn.attempt + 1;
  progress.emit({ kind: 'timer.clear', timer: `${task.id}/retry` });
  progress.record({ kind: 'call.retried', task: task.id, call: turn.call, attempt });
  progress.emit({ kind: 'actor.call', task: task.id, agent: agentName(task), call: turn.call, attempt });
}

/** The host measured the request and did not send it. */
export function requestFull(progress: StepProgress, event: RequestFull): void {
  const task = openTurn(progress, event);
  if (task === null) return;
  const failure = relieve(progress, task, event);
  if (failure !== null) failTurn(progress, task, failure);
}

/** The cost of a sub-agent without what it reported while it worked. */
function restOfSubAgent(snapshot: Snapshot, { task, toolCall, spent }: ToolFinished): Pick<ToolFinished, 'spent'> {
  return spent === undefined ? {} : { spent: notReported(snapshot, subAgentTask(snapshot, task, toolCall), spent) };
}

export function toolFinished(progress: StepProgress, event: ToolFinished): void {
  const turn = progress.task(event.task)?.turn;
  // A tool that still waits for a person's permission was not run.
  if (!turn?.openTools.some((call) => call.id === event.toolCall) || turn.asking.includes(event.toolCall)) return;
  progress.record({ ...event, ...restOfSubAgent(progress.snapshot, event) });
  takeKept(progress, event.task);
  lookWhenStill(progress, event.task);
}
