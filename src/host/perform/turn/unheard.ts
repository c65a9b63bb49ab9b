import { listOf, toArray } from '../../../core/model/append-list.ts';
import { messagesSoFar } from '../../../core/fold/apply-agents.ts';
import { seenContext } from '../../../core/step/turn/compaction-progress.ts';
import type { Message } from '../../../core/model/message.ts';
import type { Context } from '../../../core/fold/snapshot.ts';
import type { TurnProgress } from '../../../core/fold/turn-state.ts';
import { viewFor, type SeenMessage } from '../../../core/look/view.ts';
import type { SessionChoice } from './choose-session.ts';
import type { EffectContext } from '../../world.ts';
import type { Speaker } from './who-speaks.ts';

/** Messages that a client's conversation has not received: new ones of the context, then those of the turn. */
export function unheard(
  { snapshot, isRepeat }: CallMoment,
  speaker: Speaker,
  choice: SessionChoice,
): readonly SeenMessage[] {
  const { agent, turn, work } = speaker;
  const said = toArray(turn.messages);
  const lastOwn = said.findLastIndex(({ author, role }) => author === agent.name && role !== 'tool');
  // A later call of the turn continues after the agent's own last message, except in a conversation that never received
  // it.
  const ofTurn = choice.order.how === 'new' ? said : said.slice(lastOwn + 1);
  const isFurther = lastOwn >= 0 && choice.order.how !== 'new';
  const before = isFurther ? [] : newIn(snapshot.contexts[work.context], turn, choice);
  const isAgain = choice.isAgain && (isRepeat || turn.attempt > 1);
  const again: readonly Message[] = isAgain ? [reminder({ snapshot, isRepeat }, speaker)] : [];
  const { movedFrom } = choice;
  const moved = movedFrom === undefined ? [] : [noteOfMove(speaker, movedFrom)];
  return viewFor(agent.name, listOf([...moved, ...again, ...before]), listOf(ofTurn));
}

type CallMoment = Pick<EffectContext, 'snapshot' | 'isRepeat'>;

/** A new conversation receives all that the turn sees. A continued one has received the whole context so far, without a summary. */
function newIn(context: Context | undefined, turn: TurnProgress, { seen, order }: SessionChoice): readonly Message[] {
  if (context === undefined) return [];
  if (order.how === 'new') return toArray(seenContext(turn, context));
  const { sees } = turn;
  const visible = toArray(context.messages).slice(0, sees);
  const total = messagesSoFar(context) - (context.messages.length - sees);
  return visible.slice(Math.max(0, visible.length - Math.max(0, total - seen)));
}

/** Repeats it, because it is unknown how much of it was received. */
function reminder({ snapshot, isRepeat }: CallMoment, { agent }: Speaker): Message {
  const last = isRepeat ? undefined : toArray(snapshot.failures).at(-1)?.failure.message;
  const why =
    last === undefined ? 'The engine stopped while you were at work.' : `Your last attempt ended early: ${last}`;
  const content = `${why} Your files are as you left them. See what is done already, then go on. What you were told:`;
  return { author: 'workflow', to: agent.name, role: 'user', content };
}

/** Paths in its earlier messages are invalid now. */
function noteOfMove({ agent }: Speaker, folder: string): Message {
  const content = `You work on another machine now. Your files came along, but are not in ${folder} any more: use your present working folder.`;
  return { author: 'workflow', to: agent.name, role: 'user', content };
}
