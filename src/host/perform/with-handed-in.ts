import type { CallAnswer, CallReply } from '../../actors/port.ts';
import type { Evidence } from '../../core/agent-fact.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { Handing } from './turn-desk.ts';

/** A reply of a client, with what it handed in at the desk and what was seen when that was checked. */
export interface AgentReply {
  readonly reply: CallReply;
  readonly evidence: readonly Evidence[];
}

/**
 * What was accepted at the desk is part of the answer, and is the answer where the client had no good end after it: it was
 * told that its turn is over, and asks its model once more all the same.
 */
export async function withHandedIn(reply: CallReply, desk: Handing | null): Promise<AgentReply> {
  if (desk === null || isStopped(reply)) return { reply, evidence: [] };
  await desk.open.settled();
  const { accepted } = desk.open;
  if (accepted.length === 0) return { reply, evidence: reply.kind === 'failed' ? [] : desk.evidence };
  const failure = await desk.lookAgain();
  const { evidence } = desk;
  if (failure === null) return { reply: { ...asAnswer(reply), toolCalls: [...accepted] }, evidence };
  if (reply.kind === 'failed') return { reply, evidence: [] };
  const { usage, costUsd, model } = reply;
  return { reply: { kind: 'failed', failure, spent: { usage, costUsd, model } }, evidence };
}

const isStopped = (reply: CallReply): boolean => reply.kind === 'failed' && reply.failure.class === 'cancelled';

function asAnswer(reply: CallReply): CallAnswer {
  if (reply.kind === 'answered') return reply;
  const { usage, costUsd } = reply.spent ?? { usage: NO_USAGE, costUsd: null };
  return { kind: 'answered', content: '', toolCalls: [], usage, costUsd, model: '' };
}
