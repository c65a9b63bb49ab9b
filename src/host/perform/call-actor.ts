import type { CallAnswer, CallReply } from '../../actors/port.ts';
import type { AppendList } from '../../core/append-list.ts';
import type { ActorCall } from '../../core/effect.ts';
import type { CallAnswered, CallFailed } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Message, ToolCall } from '../../core/message.ts';
import type { Role, ToolSpec } from '../../core/role.ts';
import type { Snapshot, Task } from '../../core/snapshot.ts';
import { viewFor } from '../../core/view.ts';
import type { AgentSpec } from '../../core/workflow.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { World } from '../port.ts';
import { LazyRequest } from './lazy-request.ts';
import type { Performance } from './performance.ts';

/** One model call of a turn: the conversation from the agent's side goes out, a message or a failure comes back. */
export async function callActor(
  performance: Performance,
  effect: ActorCall,
): Promise<CallAnswered | Omit<CallFailed, 'retryAt'>> {
  const { world, snapshot, run } = performance;
  const startedAt = world.clock.now();
  const { agent, role, task } = whoSpeaks(performance, effect);
  const tools = specsFor(performance, role);
  const actor = await world.actorFor(role);
  const turn = task.turn;
  if (turn === null) throw new Fault('INTERNAL', `Task ${task.id} is not a turn.`);
  const head = {
    run,
    agent: agent.name,
    role,
    state: task.state,
    visit: snapshot.visits[task.state] ?? 1,
    call: effect.call,
    attempt: effect.attempt,
    idempotencyKey: keyOf(run, effect, snapshot),
    tools,
  };
  const request = new LazyRequest(head, () =>
    viewFor(agent.name, seenContext(snapshot, agent, turn.sees), turn.messages),
  );
  const reply = await actor.call(request, performance);
  return await toEvent(effect, reply, { agent, tools, turn, ms: world.clock.now() - startedAt });
}

/** A provider that knows the key gives the old answer again, which is not wanted of a run that was put back. */
function keyOf(run: RunId, { task, call }: ActorCall, { rewinds }: Snapshot): string {
  return `${run}/${task}/${call}${rewinds === 0 ? '' : `~${rewinds}`}`;
}

function seenContext(snapshot: Snapshot, agent: AgentSpec, length: number): AppendList<Message> {
  return { items: snapshot.contexts[agent.context]?.messages.items ?? [], length };
}

function whoSpeaks(performance: Performance, effect: ActorCall): { agent: AgentSpec; role: Role; task: Task } {
  const { definition, snapshot } = performance;
  const agent = definition.workflow.agents.find((one) => one.name === effect.agent);
  const role = agent === undefined ? undefined : definition.roles[agent.role];
  const task = snapshot.tasks[effect.task];
  if (agent === undefined || role === undefined || task === undefined) {
    throw new Fault('INTERNAL', `Agent ${effect.agent} cannot speak: its definition or task is missing.`);
  }
  return { agent, role, task };
}

/** By the world's tools first: two hosts in one process may have different ones. */
const specCache = new WeakMap<World['tools'], WeakMap<Role, readonly ToolSpec[]>>();

function specsFor({ world }: Performance, role: Role): readonly ToolSpec[] {
  const ofWorld = specCache.get(world.tools) ?? new WeakMap<Role, readonly ToolSpec[]>();
  specCache.set(world.tools, ofWorld);
  const known = ofWorld.get(role);
  if (known !== undefined) return known;
  const specs = [...toolsFor(role, world.tools).tools.map((tool) => tool.spec), ...role.parsingTools];
  ofWorld.set(role, specs);
  return specs;
}

interface Heard {
  readonly agent: AgentSpec;
  readonly tools: readonly ToolSpec[];
  readonly turn: NonNullable<Task['turn']>;
  readonly ms: number;
}

async function toEvent(
  effect: ActorCall,
  reply: CallReply,
  heard: Heard,
): Promise<CallAnswered | Omit<CallFailed, 'retryAt'>> {
  const { task, call, attempt } = effect;
  if (reply.kind === 'failed') {
    const { failure, spent } = reply;
    return { kind: 'call.failed', task, call, attempt, failure, ...(spent === undefined ? {} : { spent }) };
  }
  const toolCalls = withOwnIds(reply.toolCalls, heard.turn);
  const rejected = toolCalls.length === 0 ? null : await rejectedCalls(reply, toolCalls, heard.tools);
  const message: Message = {
    author: heard.agent.name,
    role: heard.agent.side,
    content: reply.content,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    ...(reply.meta === undefined ? {} : { meta: reply.meta }),
  };
  const { usage, costUsd, model } = reply;
  return {
    kind: 'call.answered',
    task,
    call,
    attempt,
    message,
    usage,
    costUsd,
    model,
    ms: heard.ms,
    ...(rejected === null ? {} : { rejected }),
  };
}

/** Some models number their calls from 0 in every message; within a turn an id must name one call. */
function withOwnIds(calls: readonly ToolCall[], turn: NonNullable<Task['turn']>): readonly ToolCall[] {
  if (calls.length === 0) return calls;
  const taken = new Set<string>();
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

/** Loaded with the first tool call: the checker is large, and many runs never need it. */
let validate: ((schema: JsonObject, value: Json) => string | null) | null = null;

async function rejectedCalls(
  reply: CallAnswer,
  calls: readonly ToolCall[],
  tools: readonly ToolSpec[],
): Promise<Readonly<Record<string, string>> | null> {
  validate ??= (await import('../../tools/validate-arguments.ts')).validateArguments;
  // A model chooses the ids, so none of them may mean something to an ordinary object.
  const rejected = Object.create(null) as Record<string, string>;
  for (const [index, call] of calls.entries()) {
    const original = reply.toolCalls[index]?.id ?? call.id;
    const spec = tools.find((tool) => tool.name === call.name);
    const reason =
      own(reply.malformed, original) ?? (spec === undefined ? null : validate(spec.parameters, call.arguments));
    if (reason !== null) rejected[call.id] = reason;
  }
  return Object.keys(rejected).length === 0 ? null : rejected;
}
