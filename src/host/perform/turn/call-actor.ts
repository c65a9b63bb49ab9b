import type { CallAnswer, CallReply, CallRequest, OwedReply } from '../../../actors/port.ts';
import type { Evidence } from '../../../core/record/agent-fact.ts';
import { seenContext } from '../../../core/step/turn/compaction-progress.ts';
import type { ActorCall } from '../../../core/model/effect.ts';
import type { RequestFull } from '../../../core/model/event.ts';
import type { CallAnswered, CallFailed } from '../../../core/record/call-fact.ts';
import type { RunId } from '../../../core/model/ids.ts';
import type { Message, ToolCall } from '../../../core/model/message.ts';
import type { ToolSpec } from '../../../core/model/role.ts';
import { introduced, introductionOf } from '../../../core/look/shared-text.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import { readSignal } from '../../../core/model/signal.ts';
import type { Snapshot, Task } from '../../../core/fold/snapshot.ts';
import { viewFor } from '../../../core/look/view.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { World, EffectContext } from '../../world.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { loadOnce } from '../../load-once.ts';
import { LazyRequest } from './lazy-request.ts';
import { offeredSpecs } from '../tools/offered-tools.ts';
import { claimsChanges, expectChanges, seeChanges } from '../replies/see-changes.ts';
import { checkReply, shapeProblem, type ReplyCheck } from '../replies/take-reply.ts';
import { turnTool } from '../tools/turn-tools.ts';
import { whoSpeaks, type Speaker } from './who-speaks.ts';
import { callModel, type ModelReply } from '../windows/call-model.ts';
import { engineNotes } from '../windows/engine-notes.ts';
import { sharedIn } from '../windows/request-size.ts';

const agentCalls = loadOnce(() => import('./call-agent.ts'));

/** One model call of a turn: the conversation from the agent's side goes out, a message or a failure comes back. */
export async function callActor(context: EffectContext, effect: ActorCall): Promise<CallEvent> {
  const { world } = context;
  const startedAt = world.clock.now();
  const found = whoSpeaks(context, effect);
  const actor = await world.actorFor(found.role, found.agent.actor ?? found.role.actor);
  const text = context.sharedText();
  const shared = sharedIn(typeof text === 'string' ? text : await text, actor.window, context.snapshot);
  const { run, definition, snapshot } = context;
  const isClient = actor.client !== undefined;
  const request = requestOf({ run, definition, snapshot, world, shared, isClient }, effect, found);
  const { tools } = request;
  const expected = expectChanges(context, found, isClient);
  const speaker: Speaker = expected === null ? found : { ...found, expected: await expected };
  const heard = { effect, speaker, tools, ms: () => world.clock.now() - startedAt };
  if (actor.client === undefined) {
    const answer = await callModel(context, { actor, speaker, request });
    return await modelEvent(context, heard, answer);
  }
  const { performAgentCall: callAgent } = await agentCalls();
  const call = { effect, speaker, actor, client: actor.client, request };
  const { reply, ...seen } = await callAgent(context, call);
  return await toEvent(context, reply, { ...heard, ...seen });
}

/** The parts of the journal that building a request needs: the same for the call itself and for later inspection. */
export type RequestPlace = Pick<EffectContext, 'run' | 'definition' | 'snapshot'> & {
  readonly world: Pick<World, 'tools' | 'services'>;
  /** See `sharedTextOf`, and `sharedIn` for a model with a small window. */
  readonly shared: string;
  readonly isClient?: boolean;
};

export interface BuiltRequest {
  readonly speaker: Speaker;
  readonly request: CallRequest;
}

export function callRequest(place: RequestPlace, effect: ActorCall): BuiltRequest {
  const speaker = whoSpeaks(place, effect);
  return { speaker, request: requestOf(place, effect, speaker) };
}

function requestOf(place: RequestPlace, effect: ActorCall, speaker: Speaker): CallRequest {
  const { snapshot, run } = place;
  const { agent, role, task, turn } = speaker;
  const isClient = place.isClient === true;
  const head = {
    run,
    agent: agent.name,
    role: isClient ? introduced(role, agent.name) : role,
    introduction: isClient ? undefined : introductionOf(agent.name),
    state: task.state,
    visit: snapshot.visits[task.state] ?? 1,
    call: effect.call,
    attempt: effect.attempt,
    idempotencyKey: keyOf(run, effect, snapshot),
    shared: place.shared,
    tools: offeredSpecs(place, speaker),
    owed: owedBy(speaker),
  };
  return new LazyRequest(head, () =>
    viewFor(agent.name, seenContext(turn, snapshot.contexts[agent.context]), turn.messages),
  );
}

function owedBy({ work, turn }: Speaker): OwedReply | undefined {
  return work.reply === undefined ? undefined : { tools: work.reply, isAskedAgain: turn.isNudged === true };
}

type CallEvent = CallAnswered | Omit<CallFailed, 'retryAt'> | RequestFull;

/** Apart from the call itself, so that a thousand calls under way hold less. */
function modelEvent(context: EffectContext, heard: Heard, answer: ModelReply): Promise<CallEvent> {
  if (answer.kind !== 'replied' || answer.size !== undefined) return measuredEvent(context, heard, answer);
  return toEvent(context, answer.reply, answer.sent === undefined ? heard : { ...heard, sent: answer.sent });
}

/** Of a model with a known window. */
async function measuredEvent(context: EffectContext, heard: Heard, answer: ModelReply): Promise<CallEvent> {
  const { kind: _, agent: __, ...ids } = heard.effect;
  if (answer.kind === 'full') return { kind: 'request.full', ...ids, size: answer.size };
  const { reply, sent } = answer;
  const event = await toEvent(context, reply, { ...heard, sent, isSummary: answer.kind === 'summary' });
  if (event.kind === 'call.failed') return answer.size === undefined ? event : { ...event, size: answer.size };
  if (answer.kind === 'replied') return event;
  const notes = answer.left === 0 ? await engineNotes(context, heard.speaker) : '';
  return { ...event, summary: { left: answer.left, ...(notes === '' ? {} : { notes }) } };
}

/** A provider that knows the key repeats its old answer, which a run that was rolled back does not want. */
function keyOf(run: RunId, { task, call }: ActorCall, { rewinds }: Snapshot): string {
  return `${run}/${task}/${call}${rewinds === 0 ? '' : `~${rewinds}`}`;
}

interface Heard {
  readonly effect: ActorCall;
  readonly speaker: Speaker;
  readonly tools: readonly ToolSpec[];
  readonly ms: () => number;
  /** The evidence found at the desk: a client's replies are checked while it can still fix what is missing. */
  readonly evidence?: readonly Evidence[];
  /** Why a client said that no change is needed. */
  readonly noChange?: string | undefined;
  /** A summary ends no turn and makes no claim. */
  readonly isSummary?: boolean;
  /** The request as it left. */
  readonly sent?: SentRequest | undefined;
}

async function toEvent(
  context: EffectContext,
  reply: CallReply,
  heard: Heard,
): Promise<CallAnswered | Omit<CallFailed, 'retryAt'>> {
  const { task, call, attempt } = heard.effect;
  const sent = heard.sent === undefined ? NOTHING : { sent: heard.sent };
  if (reply.kind === 'failed') {
    const { failure, spent } = reply;
    return { kind: 'call.failed', task, call, attempt, failure, ...(spent === undefined ? {} : { spent }), ...sent };
  }
  const { agent, turn } = heard.speaker;
  const toolCalls = withOwnIds(reply.toolCalls.map(readSignal), turn);
  const found = toolCalls.length === 0 ? checkText(context, heard) : checkCalls(context, { reply, toolCalls, heard });
  const checked = found === NOTHING ? NOTHING : await found;
  const message: Message = {
    author: agent.name,
    role: agent.side,
    content: reply.content,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    ...(reply.meta === undefined ? {} : { meta: reply.meta }),
  };
  const { usage, costUsd, model } = reply;
  const about = { task, call, attempt, message, usage, costUsd, model, ms: heard.ms() };
  return { kind: 'call.answered', ...about, ...checked, ...sent };
}

/** Some models number their calls from 0 in every message; within a turn an id must name one call. */
function withOwnIds(calls: readonly ToolCall[], turn: NonNullable<Task['turn']>): readonly ToolCall[] {
  if (calls.length === 0) return calls;
  const taken = new Set(turn.past?.map(({ id }) => id));
  for (let index = 0; index < turn.messages.length; index += 1) {
    for (const call of turn.messages.items[index]?.toolCalls ?? []) taken.add(call.id);
  }
  return calls.map((call) => {
    let id = call.id;
    for (let again = 2; taken.has(id); again += 1) id = `${call.id}-${again}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

const own = (record: Readonly<Record<string, string>> | undefined, key: string): string | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

type Checked = Pick<CallAnswered, 'rejected' | 'returned' | 'refused' | 'evidence'>;

const NOTHING = {};

/** Text alone ends a turn too: then it claims that the work is done. */
function checkText(context: EffectContext, heard: Heard): Checked | Promise<Checked> {
  return heard.isSummary === true || !claimsChanges(heard.speaker, null) ? NOTHING : checkClaim(context, heard);
}

async function checkClaim(context: EffectContext, { effect, speaker, noChange }: Heard): Promise<Checked> {
  const workspace = await placeOf(context, speaker, effect);
  return { evidence: await seeChanges(context, speaker, { workspace, reason: noChange }) };
}

const placeOf = (context: EffectContext, { agent }: Speaker, { task }: ActorCall): Promise<Workspace> => {
  const { snapshot, places } = context;
  return places.look(context, { name: workspaceOf(snapshot, agent), from: snapshot.workspace, task });
};

interface Calls {
  readonly reply: CallAnswer;
  readonly toolCalls: readonly ToolCall[];
  readonly heard: Heard;
}

/** Which calls do not fit, and which claims are not true. */
async function checkCalls(context: EffectContext, { reply, toolCalls, heard }: Calls): Promise<Checked> {
  const found: Found = {};
  const evidence: Evidence[] = [...(heard.evidence ?? [])];
  for (const [index, call] of toolCalls.entries()) {
    const malformed = own(reply.malformed, reply.toolCalls[index]?.id ?? call.id);
    const check = await checkCall(context, { call, malformed, heard });
    if (check.kind !== 'taken') (found[check.kind] ??= noProblems())[call.id] = check.problem;
    if (check.evidence !== undefined) evidence.push(...check.evidence);
  }
  return evidence.length === 0 ? found : { ...found, evidence };
}

type Found = { [Kind in 'rejected' | 'returned' | 'refused']?: Record<string, string> };

/** A model chooses the ids, so inherited properties must not be found. */
const noProblems = (): Record<string, string> => Object.create(null) as Record<string, string>;

interface OneCall {
  readonly call: ToolCall;
  /** The mistake in arguments that were not even JSON. */
  readonly malformed: string | undefined;
  readonly heard: Heard;
}

function checkCall(context: EffectContext, { call, malformed, heard }: OneCall): ReplyCheck | Promise<ReplyCheck> {
  if (malformed !== undefined) return { kind: 'rejected', problem: malformed };
  const { role } = heard.speaker;
  const parsing = role.parsingTools.find(({ name }) => name === call.name);
  // Replies accepted at the desk were checked there.
  if (parsing !== undefined && heard.evidence === undefined) {
    const place = () => placeOf(context, heard.speaker, heard.effect);
    return checkReply(context, heard.speaker, { call, tool: parsing, place });
  }
  // The tool itself reports what does not fit, and accepts repeated submissions.
  if (turnTool(heard.speaker, call.name) !== null) return { kind: 'taken', evidence: [] };
  return checkShape(parsing ?? heard.tools.find(({ name }) => name === call.name), call);
}

async function checkShape(spec: ToolSpec | undefined, call: ToolCall): Promise<ReplyCheck> {
  const problem = spec === undefined ? null : await shapeProblem(spec, call.arguments);
  return problem === null ? { kind: 'taken', evidence: [] } : { kind: 'rejected', problem };
}
