import type { Actor, CallOptions, CallReply, CallRequest } from '../../../actors/port.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import type { EffectContext } from '../../world.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/** A request to a model, and its size as known when it left. */
export interface ModelRequest {
  readonly actor: Actor;
  readonly speaker: Speaker;
  readonly request: CallRequest;
  readonly size: () => Pick<SentRequest, 'tokens' | 'window'>;
}

export interface SentCall {
  readonly kind: 'replied';
  readonly reply: CallReply;
  /** The request as it left; absent if the model runs in this process. */
  readonly sent?: SentRequest;
}

/** Makes a call, and records its request while the answer is on its way. */
export async function sendCall(context: EffectContext, call: ModelRequest): Promise<SentCall> {
  const options = new NotedCall(context, call);
  const held = context.begin('request');
  if (held !== undefined) await held;
  const reply = await call.actor.call(call.request, options);
  if (options.sent === undefined) return { kind: 'replied', reply };
  const sent = await options.sent;
  return { kind: 'replied', reply, ...(sent === undefined ? {} : { sent }) };
}

/** A class, so that its signal is only created when it is read: see `LazyRequest`. */
class NotedCall implements CallOptions {
  readonly #context: EffectContext;
  readonly #call: ModelRequest;
  sent: Promise<SentRequest | undefined> | undefined;

  constructor(context: EffectContext, call: ModelRequest) {
    this.#context = context;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  readonly onText = (delta: string): void => this.#context.onText(delta);

  /** Loading a provider takes time, in which the process may have been frozen and its run taken over. */
  readonly beforeSent = (): Promise<void> | undefined => this.#context.begin('request');

  readonly onSent = (text: string, provider: string): void => {
    const { speaker, request, size } = this.#call;
    const { shared, role, messages } = request;
    const texts = [shared, role.systemMessage];
    const about = { task: speaker.task.id, agent: speaker.agent.name, provider, ...size() };
    this.sent = this.#context.sent.note({ ...about, text, texts, messages });
  };
}
