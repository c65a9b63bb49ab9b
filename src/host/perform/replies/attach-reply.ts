import { type CallAnswer, type CallFailure, type CallReply, WENT_ON } from '../../../actors/port.ts';
import type { AcceptedReply, Evidence } from '../../../core/record/agent-fact.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { TurnDesk } from './turn-desk.ts';

/** A reply of a client, with what it submitted at the desk and the evidence for that. */
export interface AgentReply {
  readonly reply: CallReply;
  readonly evidence: readonly Evidence[];
  /** Why the agent says that no change is needed. */
  readonly noChange?: string | undefined;
  /** The text that the client was given. */
  readonly sent?: SentRequest | undefined;
}

/**
 * A reply accepted at the desk is part of the answer, and replaces it if the client failed afterwards: clients ask their
 * model once more even after their turn has ended.
 */
export async function attachReply(reply: CallReply, desk: TurnDesk | null): Promise<AgentReply> {
  if (desk === null || isStopped(reply)) return { reply, evidence: [] };
  await desk.open.settled();
  const { accepted } = desk.open;
  if (accepted.length === 0) {
    return { reply, evidence: reply.kind === 'failed' ? [] : desk.evidence, noChange: desk.noChange };
  }
  const failure = await desk.lookAgain();
  const { evidence } = desk;
  if (failure === null) return { reply: { ...asAnswer(reply), toolCalls: [...accepted] }, evidence };
  if (reply.kind === 'failed' && reply.failure.code !== WENT_ON) return { reply, evidence: [] };
  const { usage, costUsd, model } = asAnswer(reply);
  return { reply: { kind: 'failed', failure, spent: { usage, costUsd, model } }, evidence };
}

/** A reply accepted in an attempt that its engine did not survive: it counts, with the files it was accepted with. */
export async function withKeptReply({ reply, evidence, tree }: AcceptedReply, place: Workspace): Promise<AgentReply> {
  if (tree !== null && tree !== (await place.record())) await place.restore(tree);
  return { reply: { ...asAnswer(NOT_HEARD), toolCalls: [reply] }, evidence };
}

/** The client's usage is unknown. */
const NOT_HEARD: CallFailure = {
  kind: 'failed',
  failure: { code: 'CLIENT_GONE', message: 'The engine stopped before the client had ended.', class: 'crash' },
};

const isStopped = (reply: CallReply): boolean => reply.kind === 'failed' && reply.failure.class === 'cancelled';

function asAnswer(reply: CallReply): CallAnswer {
  if (reply.kind === 'answered') return reply;
  const { usage, costUsd, model = '' } = reply.spent ?? { usage: NO_USAGE, costUsd: null };
  return { kind: 'answered', content: '', toolCalls: [], usage, costUsd, model };
}
