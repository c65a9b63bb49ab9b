import type {
  Activity,
  ActivityNoted,
  AgentSession,
  Minion,
  ReplyAccepted,
  SessionKept,
  SessionNoted,
} from '../record/agent-fact.ts';
import type { Draft } from './draft.ts';
import type { CallFailed } from '../record/call-fact.ts';
import type { PermissionSettled } from '../record/files-fact.ts';
import type { ToolCall } from '../model/message.ts';
import type { ChangesDeclined } from '../step/turn/owed-changes.ts';
import { permitOf } from '../step/turn/permit.ts';
import type { Context, Task } from './snapshot.ts';
import type { TurnProgress } from './turn-state.ts';

/** How facts about clients and their conversations change a run. */

/** A session counts as up to date only after the turn succeeded: see `heard`. */
export function noteSession(now: Draft, { task, agent, actor, session, how }: SessionNoted): void {
  const open = now.tasks[task];
  if (open?.turn == null || open.work.kind !== 'turn') return;
  const { context } = open.work;
  const known = goneOnWith(now.sessions[agent], { session, how });
  now.sessions = { ...now.sessions, [agent]: { actor, id: session, context, lastTask: task, ...known } };
  changeTurn(now, task, (turn) => ({ ...turn, session }));
}

/** The part of an agent's session that stays true if the next turn continues it. A copy has received what its original had. */
function goneOnWith(
  known: AgentSession | undefined,
  { session, how }: Pick<SessionNoted, 'session' | 'how'>,
): Pick<AgentSession, 'seen' | 'kept'> {
  if (known?.id !== session) return { seen: how === 'forked' ? (known?.seen ?? 0) : 0 };
  return { seen: known.seen, ...(known.kept === undefined ? {} : { kept: known.kept }) };
}

export function keepSession(now: Draft, { agent, session, conversation }: SessionKept): void {
  const known = now.sessions[agent];
  if (known?.id !== session) return;
  const { kept: _before, ...rest } = known;
  now.sessions = { ...now.sessions, [agent]: conversation === null ? rest : { ...rest, kept: conversation } };
}

/**
 * The turn's messages joined the context. Its session knows all of it unless others spoke meanwhile: then messages are sent
 * again from where the turn began, since a duplicate is better than a gap.
 */
export function heard(now: Draft, { work, turn }: Task): void {
  if (work.kind !== 'turn' || turn?.session === undefined) return;
  const session = now.sessions[work.agent];
  const context = now.contexts[work.context];
  if (session?.id !== turn.session || context === undefined) return;
  const total = messagesSoFar(context);
  const began = context.dropped + turn.sees;
  const seen = began + turn.messages.length === total ? total : began;
  now.sessions = { ...now.sessions, [work.agent]: { ...session, seen } };
}

/** The number of messages of a context since its first, including removed ones. */
export const messagesSoFar = ({ dropped, messages }: Context): number => dropped + messages.length;

/** A conversation that its client no longer knows: the next try starts a new one. */
export function loseSession(now: Draft, { task, failure }: CallFailed): void {
  const work = now.tasks[task]?.work;
  if (failure.class !== 'session' || work?.kind !== 'turn') return;
  const { [work.agent]: _lost, ...sessions } = now.sessions;
  now.sessions = sessions;
  changeTurn(now, task, ({ session: _gone, ...turn }) => turn);
}

/** An agent that forgets a context also forgets its client's conversation about it. */
export function forgetSessions(now: Draft, context: string): void {
  now.sessions = filtered(now.sessions, (session) => session.context !== context);
}

type Sessions = Readonly<Record<string, AgentSession>>;

type WithSessions = Pick<Draft, 'sessions' | 'tasks'>;

/** Agents whose session was not used since. A session in use at that record, or now in a run below, cannot be judged. */
export function quietSince(then: WithSessions, until: WithSessions): readonly string[] {
  const tasks = Object.values(until.tasks);
  const isUsedBelow = (agent: string): boolean =>
    tasks.some(({ work }) => work.kind === 'turn' && work.apart === true && work.agent === agent);
  const quiet = filtered(then.sessions, ({ id, seen, lastTask }, agent) => {
    const last = until.sessions[agent];
    const isSame = last?.id === id && last.seen === seen && last.lastTask === lastTask;
    return isSame && then.tasks[lastTask] === undefined && !isUsedBelow(agent);
  });
  return Object.keys(quiet);
}

/** After a rollback a session is useful only if nothing was said in it since. */
export function putBackSessions(
  now: Draft,
  { then = {}, until }: { readonly then?: Sessions; readonly until: WithSessions },
): void {
  const quiet = quietSince({ sessions: then, tasks: now.tasks }, until);
  now.sessions = filtered(then, (_session, agent) => quiet.includes(agent));
  leaveSessions(now);
}

/** Calls in progress start again, with the files of that record and in a conversation that is chosen again. */
function leaveSessions(now: Draft): void {
  for (const id of Object.keys(now.tasks)) changeTurn(now, id, ({ session: _left, desk: _taken, ...turn }) => turn);
}

/** Sessions that a fork may continue: the client copies them first, so that the two runs never share a conversation. */
export function takeAlong(now: Draft, agents: readonly string[]): void {
  leaveSessions(now);
  const kept = filtered(now.sessions, (_session, agent) => agents.includes(agent));
  now.sessions = Object.fromEntries(Object.entries(kept).map(([agent, one]) => [agent, { ...one, isOfOther: true }]));
}

function filtered(sessions: Sessions, keep: (session: AgentSession, agent: string) => boolean): Sessions {
  return Object.fromEntries(Object.entries(sessions).filter(([agent, session]) => keep(session, agent)));
}

export function noteReply(now: Draft, { task, call, attempt, reply, evidence, tree }: ReplyAccepted): void {
  changeTurn(now, task, (turn) => ({ ...turn, desk: { call, attempt, reply, evidence, tree } }));
}

export function noteReason(now: Draft, { task, reason }: ChangesDeclined): void {
  changeTurn(now, task, (turn) => ({ ...turn, noChange: reason }));
}

/** Only sub-agents stay in the snapshot; the activity of tools is read from the records. */
export function noteActivity(now: Draft, { task, items }: ActivityNoted): void {
  for (const { id, name, handed, isReturned } of items)
    if (isReturned === true && handed !== undefined)
      changeTurn(now, task, (turn) => ({ ...turn, returned: { id, name, arguments: handed } }));
  const minions = items.filter(({ kind }) => kind === 'minion');
  if (minions.length === 0) return;
  changeTurn(now, task, (turn) => {
    // A client chooses the ids.
    const known = new Map(Object.entries(turn.minions ?? {}));
    const entries = minions.map((item): [string, Minion] => [item.id, minionOf(item, known.get(item.id))]);
    return { ...turn, minions: { ...turn.minions, ...Object.fromEntries(entries) } };
  });
}

function minionOf({ name, status, text, usage }: Activity, before: Minion | undefined): Minion {
  return {
    ...before,
    name: name === '' ? (before?.name ?? '') : name,
    status,
    ...(text === undefined ? {} : { text }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** The agent whose turn it is need not ask for this tool again. */
export function addPermit(now: Draft, fact: PermissionSettled): void {
  const task = now.tasks[fact.task];
  const call = askedCalls(task).find(({ id }) => id === fact.toolCall);
  if (task?.work.kind !== 'turn' || call === undefined) return;
  now.permits = [...new Set([...now.permits, permitOf(task.work.agent, call.name)])];
}

/** The engine's tools, and those a client wants to use itself. */
function askedCalls(task: Task | undefined): readonly ToolCall[] {
  const { openTools = [], asked = [] } = task?.turn ?? {};
  return [...openTools, ...asked.map(({ call }) => call)];
}

function changeTurn(now: Draft, id: string, change: (turn: TurnProgress) => TurnProgress): void {
  const task = now.tasks[id];
  if (task?.turn == null) return;
  now.tasks[id] = { ...task, turn: change(task.turn) };
}
