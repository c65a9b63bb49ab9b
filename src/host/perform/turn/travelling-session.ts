import type { TaskId } from '../../../core/model/ids.ts';
import { agentsRun } from '../../../core/model/workspace-name.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { type ClientOf, newConversation, type SessionChoice } from './choose-session.ts';
import type { EffectContext } from '../../world.ts';
import { servicesOf } from './services-of.ts';

interface AgentAtWork {
  readonly agent: string;
  readonly client: ClientOf;
  readonly place: Pick<Workspace, 'folder'>;
}

/**
 * Another machine may hold the conversation of a turn: it is brought here first. If it is unavailable, a new one starts with
 * the full context.
 */
export async function bringSession(
  context: EffectContext,
  { agent, client, place }: AgentAtWork,
  choice: SessionChoice,
): Promise<SessionChoice> {
  const { conversations, homeOf } = servicesOf(context);
  const { order } = choice;
  if (conversations === undefined || order.how === 'new') return choice;
  const { kind } = client;
  const session = order.how === 'forked' ? order.from : order.id;
  const home = await homeOf({ run: agentsRun(context.snapshot), agent, kind });
  const known = context.snapshot.sessions[agent];
  const kept = known?.id === session ? (known.kept ?? null) : null;
  const brought = await conversations.bring({ kind, home, session, folder: place.folder }, kept);
  if (brought.kind === 'here') return choice;
  if (brought.kind === 'gone') return newConversation(client);
  // As it was stored: it does not include a call that was interrupted elsewhere.
  const moved = brought.folder === place.folder ? {} : { movedFrom: brought.folder };
  return { ...choice, isAgain: false, ...moved };
}

/** After a call that was answered. If it cannot be stored, another machine loses the conversation, not the answer. */
export async function storeSession(
  context: EffectContext,
  { task, agent, client, place }: AgentAtWork & { readonly task: TaskId },
  session: string,
): Promise<void> {
  const { conversations, homeOf } = servicesOf(context);
  if (conversations === undefined) return;
  const { kind } = client;
  const home = await homeOf({ run: agentsRun(context.snapshot), agent, kind });
  const redact = (text: string): string => context.world.secrets?.redact(text) ?? text;
  const conversation = await conversations
    .keep({ kind, home, session, folder: place.folder }, redact)
    .catch(() => null);
  context.note({ kind: 'session.kept', task, agent, session, conversation });
}
