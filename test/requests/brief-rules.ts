import { goldenBlock } from './golden-text.ts';
import { isText, systemText, type RequestRule } from './request-rules.ts';

/** An order to judge or to combine changes comes with the engine's own test result. */
export const givesTestResult: RequestRule = ({ place, order }) =>
  /^# All changes(?: since the run began|, merged| so far)?$/m.test(order) && !order.includes('The engine ran')
    ? [`${place}: changes are shown without a test result of the engine.`]
    : [];

/** A message without a mark is an order: what the engine adds by itself is marked. */
export const marksEngineText: RequestRule = ({ place, blocks }) =>
  blocks
    .filter((block) => isText(block) && goldenBlock(block).startsWith('Your name in this team'))
    .map(() => `${place}: the engine's introduction has no mark.`);

/** After a receipt no message says that the reply was refused: it was received, and is asked for once more. */
export const keepsReceipts: RequestRule = ({ place, blocks }) => {
  const texts = blocks.filter(({ section, name }) => section === 'messages' && name === 'user').map(goldenBlock);
  return texts
    .filter(
      (text, at) => /\breply was not (?:taken|accepted)\b/.test(text) && texts[at - 1]?.includes('Received.') === true,
    )
    .map((text) => `${place}: a received reply is refused: "${text.slice(0, 60)}".`);
};

/** A signal that is offered is explained in the role or the order: one that is always sent back is not offered. */
export const explainsSignals: RequestRule = (request) => {
  const said = `${systemText(request)}\n${request.order}`;
  return request.sent.who.tools.flatMap(({ parameters }) => {
    const signal = Object(Object(parameters['properties'])['signal']) as { readonly enum?: readonly string[] };
    const unexplained = (signal.enum ?? []).filter((name) => !said.includes(`\`${name}\``));
    return unexplained.map((name) => `${request.place}: the signal ${name} is offered and not explained.`);
  });
};

/** There is one way to state that no change is needed. */
export const hasOneWayToDecline: RequestRule = ({ place, sent, facts }) => {
  const task = sent.who.key.slice((sent.who.run ?? '').length + 1).split('/')[0];
  const isByReply = facts.some(
    (fact) =>
      fact.kind === 'task.started' &&
      fact.task === task &&
      fact.work.kind === 'turn' &&
      fact.work.changes?.unless !== undefined,
  );
  return isByReply && sent.who.tools.some(({ name }) => name === 'no_change_needed')
    ? [`${place}: no_change_needed is offered beside the argument of its reply.`]
    : [];
};

/** The user's own words reach every agent, besides what others made of them. */
export const hasUsersWords =
  (words: string): RequestRule =>
  ({ place, blocks }) =>
    blocks.filter(isText).some((block) => goldenBlock(block).includes(words))
      ? []
      : [`${place}: the words of the user are missing.`];
