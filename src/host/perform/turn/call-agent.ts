import type { AgentCall } from './client-request.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import { randomUUID } from 'node:crypto';
import type { CallFailure, CallReply, ClientOrder, SessionOrder } from '../../../actors/port.ts';
import type { AcceptedReply, Activity } from '../../../core/record/agent-fact.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import { agentsRun, workspaceOf } from '../../../core/model/workspace-name.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { ActivityLog } from './activity-log.ts';
import { noteClient } from './client-request.ts';
import { chooseSession, type SessionChoice } from './choose-session.ts';
import { clientPermission } from './client-permission.ts';
import { holding } from '../commands/holding.ts';
import type { EffectContext } from '../../world.ts';
import { servicesOf } from './services-of.ts';
import { bringSession, storeSession } from './travelling-session.ts';
import { openDesk, type TurnDesk } from '../replies/turn-desk.ts';
import { unheard } from './unheard.ts';
import { attachReply, withKeptReply, type AgentReply } from '../replies/attach-reply.ts';
import type { WorkspaceRequest } from '../files/workspace-writer.ts';

/**
 * One turn of a program that works by itself: it holds the workspace until it ends, continues its own conversation, and
 * submits its structured replies at the desk, where they are checked while it can still fix what is missing.
 */
export async function performAgentCall(context: EffectContext, call: AgentCall): Promise<AgentReply> {
  const { breakers } = servicesOf(context);
  const refusal = keptReply(call) === null ? breakers.refusal(call.client.provider) : null;
  if (refusal !== null) return { reply: { kind: 'failed', failure: refusal }, evidence: [] };
  const heard = await inWorkspace(context, call);
  // The answer of a stopped turn is dropped, but its cost counts.
  if (context.signal.aborted) noteSpent(context, call.effect.task, heard.reply);
  if (heard.reply.kind === 'answered') return heard;
  return { ...heard, reply: openBreaker(context, call, heard.reply) };
}

/** If only a person can help, the call stays open and is made again; its cost so far is recorded. */
function openBreaker(context: EffectContext, { client, effect }: AgentCall, reply: CallFailure): CallFailure {
  try {
    return { ...reply, failure: servicesOf(context).breakers.failed(client.provider, reply.failure) };
  } catch (error) {
    if (!context.signal.aborted) noteSpent(context, effect.task, reply);
    throw error;
  }
}

function noteSpent(context: EffectContext, task: TaskId, reply: CallReply | null): void {
  const spent = reply?.kind === 'failed' ? reply.spent : reply;
  if (spent === undefined || spent === null) return;
  const { usage, costUsd, model } = spent;
  context.note({ kind: 'usage.noted', task, usage, costUsd, ...(model === undefined ? {} : { model }) });
}

async function inWorkspace(context: EffectContext, call: AgentCall): Promise<AgentReply> {
  const { agent, role } = call.speaker;
  const request: WorkspaceRequest = {
    name: workspaceOf(context.snapshot, agent),
    from: context.snapshot.workspace,
    task: call.effect.task,
    isForClient: true,
  };
  const paid = new Paid(context, call.effect.task);
  try {
    return await holding(context, agent.holds ?? [], async () => {
      if ((role.mode ?? 'write') !== 'write') {
        return await inPlace(context, call, { place: await context.places.look(context, request), paid });
      }
      return await context.places.write(context, request, ({ workspace }) =>
        inPlace(context, call, { place: workspace, paid }),
      );
    });
  } catch (error) {
    paid.bookLostCall();
    throw error;
  }
}

/** Books the cost of a reply that is lost to a full disk or a deleted folder. */
class Paid {
  readonly #context: EffectContext;
  readonly #task: TaskId;
  #last: CallReply | null = null;

  constructor(context: EffectContext, task: TaskId) {
    this.#context = context;
    this.#task = task;
  }

  for(reply: CallReply): void {
    this.#last = reply;
  }

  bookLostCall(): void {
    noteSpent(this.#context, this.#task, this.#last);
    this.#last = null;
  }
}

interface Work {
  readonly place: Workspace;
  readonly paid: Paid;
}

async function inPlace(context: EffectContext, call: AgentCall, { place, paid }: Work): Promise<AgentReply> {
  // If the turn is repeated in a folder that was created again.
  paid.bookLostCall();
  const kept = keptReply(call);
  if (kept !== null) return await withKeptReply(kept, place);
  const services = servicesOf(context);
  const client = { kind: call.actor.kind, traits: call.client, newSession: services.newSession ?? randomUUID };
  const chosen = chooseSession(context.snapshot, call.speaker, client);
  const session = await bringSession(context, { agent: call.speaker.agent.name, client, place }, chosen);
  const activity = new ActivityLog(context, call.effect.task);
  const desk = await openDesk(context, call, { place, activity });
  try {
    const order = await orderOf(context, call, { place, session, desk });
    const request = { ...call.request, messages: call.request.messages, client: order };
    const { how } = session.order;
    let { id } = session.order;
    if (id !== null) await noteSession(context, call, { id, how });
    let sent: Promise<SentRequest | undefined> | undefined;
    await context.begin();
    const reply = await call.actor.call(request, {
      signal: context.signal,
      onText: (delta) => context.onText(delta),
      onPrompt: (prompt) => {
        sent = noteClient(context, call, { ...prompt, session: how, messages: order.unheard });
      },
      onSession: async (reported) => {
        if (reported !== id) await noteSession(context, call, { id: reported, how });
        id = reported;
      },
      onActivity: (one: Activity) => activity.add(one),
      onPermission: (asked) => clientPermission(context, asked),
      onRaw: (line) => {
        const kept = context.world.secrets?.redact(line) ?? line;
        services.keepLine?.({ run: context.run, task: call.effect.task, line: kept });
      },
    });
    paid.for(reply);
    const heard = await attachReply(reply, desk);
    if (heard.reply.kind === 'answered' && id !== null) {
      await storeSession(context, { task: call.effect.task, agent: call.effect.agent, client, place }, id);
    }
    if (reply.kind === 'failed' && heard.reply.kind === 'answered') outlived(context, call, { ...reply, activity });
    return { ...heard, sent: await sent };
  } finally {
    await activity.flush();
    await desk?.close();
  }
}

/** The reply of exactly this call that was accepted before the engine stopped. */
function keptReply({ effect, speaker: { turn } }: AgentCall): AcceptedReply | null {
  const { desk } = turn;
  return desk?.call === effect.call && desk.attempt === effect.attempt ? desk : null;
}

interface Prepared {
  readonly place: Workspace;
  readonly session: SessionChoice;
  readonly desk: TurnDesk | null;
}

async function orderOf(context: EffectContext, call: AgentCall, prepared: Prepared): Promise<ClientOrder> {
  const { role } = call.speaker;
  const { place, session, desk } = prepared;
  const { homeOf, limitsOf } = servicesOf(context);
  const { kind } = call.actor;
  return {
    place,
    mode: role.mode ?? 'write',
    network: role.network === true,
    session: session.order,
    unheard: unheard(context, call.speaker, session),
    desk: desk?.open ?? null,
    home: await homeOf({ run: agentsRun(context.snapshot), agent: call.speaker.agent.name, kind }),
    limits: limitsOf(kind),
  };
}

/** Recorded before it is needed: if the engine chose the id, nothing has been started yet. */
async function noteSession(
  context: EffectContext,
  { effect, speaker, actor }: AgentCall,
  { id, how }: { readonly id: string; readonly how: SessionOrder['how'] },
): Promise<void> {
  // The journal already knows that the turn is in it.
  if (speaker.turn.session === id) return;
  const { task, agent } = effect;
  await context.noteNow({ kind: 'session.noted', task, agent, actor: actor.kind, session: id, how });
}

/** The failure is reported, and stops other calls to the same provider; this turn has ended. */
function outlived(
  context: EffectContext,
  { client, effect }: AgentCall,
  { failure, activity }: CallFailure & { readonly activity: ActivityLog },
): void {
  const text = `Its reply was accepted before, and counts. ${failure.message}`;
  const id = `failed-${effect.call}.${effect.attempt}`;
  activity.add({ id, kind: 'notice', name: failure.code, status: 'failed', text });
  try {
    servicesOf(context).breakers.failed(client.provider, failure);
  } catch {
    // The next call gets this fault.
  }
}
