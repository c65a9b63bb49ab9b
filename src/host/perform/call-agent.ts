import { createHash, randomUUID } from 'node:crypto';
import type { ClientOrder, ClientTraits, SessionOrder } from '../../actors/client-port.ts';
import type {
  Actor,
  CallFailure,
  CallReply,
  CallRequest,
  PermissionReply,
  PermissionRequest,
} from '../../actors/port.ts';
import type { Activity, Evidence } from '../../core/agent-fact.ts';
import type { ActorCall } from '../../core/effect.ts';
import { Fault } from '../../core/fault.ts';
import type { Failure } from '../../core/outcome.ts';
import { workspaceOf } from '../../core/workspace-name.ts';
import type { Workspace } from '../../workspace/port.ts';
import type { OpenDesk } from '../desk/port.ts';
import type { ClientServices } from '../port.ts';
import { ActivityLog } from './activity-log.ts';
import { chooseSession, type SessionChoice } from './choose-session.ts';
import { holding } from './holding.ts';
import type { Performance } from './performance.ts';
import { HandingIn } from './handing-in.ts';
import { turnSpecs } from './turn-tools.ts';
import { unheard } from './unheard.ts';
import type { Speaker } from './who-speaks.ts';
import type { Wanted } from './writing.ts';

/** A reply of a client, with what it handed in at the desk and what was seen when that was checked. */
export interface AgentReply {
  readonly reply: CallReply;
  readonly evidence: readonly Evidence[];
}

export interface AgentCall {
  readonly effect: ActorCall;
  readonly speaker: Speaker;
  readonly actor: Actor;
  readonly client: ClientTraits;
  readonly request: Omit<CallRequest, 'client'>;
}

/**
 * One turn of a program that works by itself: it has the workspace to itself until it ends, goes on in its own conversation,
 * and hands in its structured replies at the desk, where they are checked while it can still mend what is missing.
 */
export async function callAgent(performance: Performance, call: AgentCall): Promise<AgentReply> {
  const { breakers } = servicesOf(performance);
  const refusal = breakers.refusal(call.client.provider);
  if (refusal !== null) return { reply: { kind: 'failed', failure: refusal }, evidence: [] };
  const heard = await inWorkspace(performance, call);
  // Nobody hears the answer of a turn that was stopped, but it was paid for.
  if (performance.signal.aborted) noteSpent(performance, heard.reply);
  if (heard.reply.kind === 'failed') openBreaker(performance, call, heard.reply);
  else breakers.worked(call.client.provider);
  return heard;
}

/** Where only a person can help the call stays open and is made again; what it cost until then is not forgotten. */
function openBreaker(performance: Performance, { client }: AgentCall, reply: CallFailure): void {
  try {
    servicesOf(performance).breakers.failed(client.provider, reply.failure);
  } catch (error) {
    if (!performance.signal.aborted) noteSpent(performance, reply);
    throw error;
  }
}

function noteSpent({ note }: Performance, reply: CallReply | null): void {
  const spent = reply?.kind === 'failed' ? reply.spent : reply;
  if (spent === undefined || spent === null) return;
  const { usage, costUsd } = spent;
  note({ kind: 'usage.noted', usage, costUsd });
}

async function inWorkspace(performance: Performance, call: AgentCall): Promise<AgentReply> {
  const { agent, role } = call.speaker;
  const wanted: Wanted = {
    name: workspaceOf(performance.snapshot, agent),
    from: performance.snapshot.workspace,
    task: call.effect.task,
    isForClient: true,
  };
  const paid = new Paid(performance);
  try {
    return await holding(performance, agent.holds ?? [], async () => {
      if ((role.mode ?? 'write') !== 'write') {
        return await inPlace(performance, call, { place: await performance.places.look(performance, wanted), paid });
      }
      return await performance.places.write(performance, wanted, ({ workspace }) =>
        inPlace(performance, call, { place: workspace, paid }),
      );
    });
  } catch (error) {
    paid.isLost();
    throw error;
  }
}

/** A reply that is lost on its way, to a full disk or a deleted folder, was paid for all the same. */
class Paid {
  readonly #performance: Performance;
  #last: CallReply | null = null;

  constructor(performance: Performance) {
    this.#performance = performance;
  }

  for(reply: CallReply): void {
    this.#last = reply;
  }

  isLost(): void {
    noteSpent(this.#performance, this.#last);
    this.#last = null;
  }
}

interface Work {
  readonly place: Workspace;
  readonly paid: Paid;
}

async function inPlace(performance: Performance, call: AgentCall, { place, paid }: Work): Promise<AgentReply> {
  // Where the turn is taken again in a folder that was made anew.
  paid.isLost();
  const services = servicesOf(performance);
  const session = chooseSession(performance.snapshot, call.speaker, {
    kind: call.actor.kind,
    traits: call.client,
    newSession: services.newSession ?? randomUUID,
  });
  const desk = await openDesk(performance, call, place);
  const activity = new ActivityLog(performance, call.effect.task);
  try {
    const client = await orderOf(performance, call, { place, session, desk });
    const request = { ...call.request, messages: call.request.messages, client };
    const { id: chosen, how } = session.order;
    if (chosen !== null) await noteSession(performance, call, { id: chosen, how });
    const reply = await call.actor.call(request, {
      signal: performance.signal,
      onText: performance.onText,
      onSession: async (id) => {
        if (id !== chosen) await noteSession(performance, call, { id, how });
      },
      onActivity: (one: Activity) => activity.add(one),
      onPermission: (asked) => permission(performance, asked),
      onRaw: (line) => services.keepLine?.({ run: performance.run, task: call.effect.task, line }),
    });
    paid.for(reply);
    return await withHandedIn(reply, desk);
  } finally {
    await activity.flush();
    await desk?.close();
  }
}

function servicesOf({ world }: Performance): ClientServices {
  if (world.clients !== undefined) return world.clients;
  throw new Fault('CLIENT_UNAVAILABLE', 'Agents that are programs of their own cannot be started here.', {
    hint: 'Start the run with the command line, or give the world `clients`.',
  });
}

interface Prepared {
  readonly place: Workspace;
  readonly session: SessionChoice;
  readonly desk: Handing | null;
}

async function orderOf(performance: Performance, call: AgentCall, prepared: Prepared): Promise<ClientOrder> {
  const { role } = call.speaker;
  const { place, session, desk } = prepared;
  const { homeOf, limitsOf } = servicesOf(performance);
  const { kind } = call.actor;
  return {
    place,
    mode: role.mode ?? 'write',
    network: role.network === true,
    session: session.order,
    unheard: unheard(performance, call.speaker, session),
    desk: desk?.open ?? null,
    home: await homeOf({ run: performance.run, agent: call.speaker.agent.name, kind }),
    limits: limitsOf(kind),
  };
}

/** Written down before it is needed: where the engine chose the id, nothing has been started yet. */
async function noteSession(
  { noteNow }: Performance,
  { effect, speaker, actor }: AgentCall,
  { id, how }: { readonly id: string; readonly how: SessionOrder['how'] },
): Promise<void> {
  // The turn is in it already, as the journal knows.
  if (speaker.turn.session === id) return;
  const { task, agent } = effect;
  await noteNow({ kind: 'session.noted', task, agent, actor: actor.kind, session: id, how });
}

/** The desk of one turn, and what was seen at it. */
interface Handing {
  readonly open: OpenDesk;
  readonly evidence: readonly Evidence[];
  /** Looks again at what was accepted: null where it still holds. */
  lookAgain(): Promise<Failure | null>;
  close(): Promise<void>;
}

async function openDesk(performance: Performance, call: AgentCall, place: Workspace): Promise<Handing | null> {
  // A client asks once for its tools, so all outputs are named: also those that it handed in before it was interrupted.
  const tools = [...call.speaker.role.parsingTools, ...turnSpecs(call.speaker, [])];
  if (tools.length === 0) return null;
  const office = await servicesOf(performance).desks();
  const handing = new HandingIn(performance, call.speaker, place);
  const open = await office.open({ run: performance.run, task: call.effect.task, tools, take: handing.take });
  return {
    open,
    get evidence() {
      return handing.evidence;
    },
    lookAgain: () => handing.lookAgain(),
    close: () => open.close(),
  };
}

/** What was accepted at the desk is part of the answer. */
async function withHandedIn(reply: CallReply, desk: Handing | null): Promise<AgentReply> {
  if (desk === null || reply.kind === 'failed') return { reply, evidence: [] };
  await desk.open.settled();
  const { accepted } = desk.open;
  if (accepted.length === 0) return { reply, evidence: desk.evidence };
  const failure = await desk.lookAgain();
  if (failure !== null) {
    const { usage, costUsd } = reply;
    return { reply: { kind: 'failed', failure, spent: { usage, costUsd } }, evidence: desk.evidence };
  }
  return { reply: { ...reply, toolCalls: [...accepted] }, evidence: desk.evidence };
}

/** The same wish has the same id, so that what a person said holds when the turn is begun again. */
async function permission(
  { askPermission }: Performance,
  { tool, input }: PermissionRequest,
): Promise<PermissionReply> {
  const id = `ask-${createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex')
    .slice(0, 12)}`;
  const isAllowed = await askPermission({ id, name: tool, arguments: input });
  return isAllowed ? { isAllowed } : { isAllowed, message: 'A person did not allow this. Go on without it.' };
}
