import type { Actor, CallFailure, CallReply, CallRequest, ClientTraits } from '../../actors/port.ts';
import { NO_USAGE } from '../../core/model/usage.ts';

/** A client with all capabilities. */
export const CLIENT_TRAITS: ClientTraits = {
  provider: 'vendor',
  choosesSession: true,
  canResume: true,
  canFork: true,
};

/** Its usage when it was stopped. */
export const USED = { usage: { ...NO_USAGE, inputTokens: 500, outputTokens: 90, calls: 4 }, costUsd: 7 };

export const STOPPED_REPLY: CallFailure = {
  kind: 'failed',
  failure: { code: 'CALL_CANCELLED', message: 'It was stopped.', class: 'cancelled' },
  spent: USED,
};

/** It begins like this, works until it is stopped, and then returns that. */
export function stoppingClient(reply: CallReply, begin: (request: CallRequest) => void = () => undefined) {
  const atWork = Promise.withResolvers<void>();
  const call: Actor['call'] = (request, { signal }) => {
    begin(request);
    atWork.resolve();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(reply));
    });
  };
  return { call, atWork: atWork.promise };
}
