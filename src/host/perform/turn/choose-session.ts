import type { ClientTraits, SessionOrder } from '../../../actors/port.ts';
import type { AgentSession } from '../../../core/record/agent-fact.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import type { Speaker } from './who-speaks.ts';

export interface SessionChoice {
  readonly order: SessionOrder;
  /** How many messages of the context it has received, counted from the very first. */
  readonly seen: number;
  /** The turn had already begun in it: in an earlier attempt, or a process that died. */
  readonly isAgain: boolean;
  /** It was held on another machine, where the workspace was in this folder. */
  readonly movedFrom?: string;
}

export interface ClientOf {
  readonly kind: string;
  readonly traits: ClientTraits;
  readonly newSession: () => string;
}

/**
 * The conversation of a turn: the one it began in, else the agent's last one, else a new one. Never one that another turn is
 * using: clients have no lock, and one of the two turns would vanish from its history.
 */
export function chooseSession(snapshot: Snapshot, speaker: Speaker, client: ClientOf): SessionChoice {
  const known = snapshot.sessions[speaker.agent.name];
  const { traits } = client;
  const seen = known?.seen ?? 0;
  const begun = traits.canResume ? speaker.turn.session : undefined;
  if (begun !== undefined) return { order: { how: 'resumed', id: begun }, seen, isAgain: true };
  const fresh = newConversation(client);
  const last = lastOf(snapshot, speaker, client);
  const order = last === undefined ? null : goOnIn(last, traits, fresh.order.id);
  return order === null ? fresh : { order, seen, isAgain: false };
}

export function newConversation({ traits, newSession }: ClientOf): SessionChoice {
  return { order: { how: 'new', id: traits.choosesSession ? newSession() : null }, seen: 0, isAgain: false };
}

/** The agent's last conversation, if this client can continue it now. */
function lastOf(snapshot: Snapshot, speaker: Speaker, { kind }: ClientOf): AgentSession | undefined {
  const known = snapshot.sessions[speaker.agent.name];
  return known === undefined || known.actor !== kind || isBusy(snapshot, speaker, known) ? undefined : known;
}

function goOnIn(known: AgentSession, traits: ClientTraits, id: string | null): SessionOrder | null {
  if (known.isOfOther === true) return traits.canFork ? { how: 'forked', from: known.id, id } : null;
  return traits.canResume ? { how: 'resumed', id: known.id } : null;
}

function isBusy({ tasks }: Snapshot, { task }: Speaker, session: AgentSession): boolean {
  return Object.values(tasks).some(({ id, turn }) => id !== task.id && turn?.session === session.id);
}
