import type { Failure } from '../../core/model/outcome.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { Actor, CallAnswer, CallFailure, CallOptions, CallReply, CallRequest } from '../port.ts';
import { TurnPace } from './turn-pace.ts';
import { carefulListener } from '../careful-listener.ts';
import { forcesTool, refusesForcing, refusesMarks, takesMarks } from './request-settings.ts';
import { cancelled, type FailedCall, failureOf, replyRefusal, timedOut } from './call-failure.ts';
import { costOf, type Endpoint, endpointOf, type ModelConfig, windowOf } from './model-config.ts';
import { metaOf } from './prompt.ts';
import type { CallHead, Fetch, SendOptions, StreamedReply, ModelWire } from './wire.ts';

/**
 * A model behind an API. One call is one model step: tools are offered without a way to run them, and nothing is tried
 * again here, because both are the engine's journaled decisions.
 */
export function createModelActor(config: ModelConfig, fetch?: Fetch): Actor {
  const endpoint = endpointOf(config);
  let wire: Promise<ModelWire> | null = null;
  const connection: Connection = { config, endpoint, wire: () => (wire ??= loadWire(config, endpoint, fetch)) };
  return {
    kind: 'model',
    window: windowOf(config, endpoint),
    call: (request, options) => call(connection, request, options),
  };
}

async function loadWire(config: ModelConfig, endpoint: Endpoint, fetch: Fetch | undefined): Promise<ModelWire> {
  if (config.provider === 'openai-compatible') {
    const [{ createChatWire }, { createPost, postOver }] = await Promise.all([
      import('./chat/chat-wire.ts'),
      import('./chat/post.ts'),
    ]);
    return createChatWire(config, endpoint, fetch === undefined ? createPost() : postOver(fetch));
  }
  const { createSdkWire } = await import('./sdk-wire.ts');
  return createSdkWire(config, endpoint, fetch ?? ((url, init) => globalThis.fetch(url, init)));
}

interface Connection {
  readonly config: ModelConfig;
  readonly endpoint: Endpoint;
  readonly wire: () => Promise<ModelWire>;
}

const DEFAULT_TIMEOUT_MS = 600_000;

/** Of 3,000 calls that began in one turn, the answers held up the event loop for 0.7 s. */
const pace = new TurnPace(32);

async function call(connection: Connection, request: CallRequest, options: CallOptions): Promise<CallReply> {
  const { config, endpoint } = connection;
  const timeoutMs = config.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  // One controller for both reasons: `AbortSignal.any` costs more than the rest of this function.
  const stop = new AbortController();
  let isLate = false;
  const alarm = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  const cancel = (): void => stop.abort(options.signal.reason);
  options.signal.addEventListener('abort', cancel, { once: true });
  const { onSent, beforeSent } = options;
  const head: CallHead = {
    response: null,
    ...(beforeSent === undefined ? {} : { beforeSent }),
    ...(onSent === undefined ? {} : { onSent: (text) => onSent(text, config.provider) }),
  };
  const about = (): FailedCall => ({
    model: config.model,
    host: endpoint.host,
    secrets: secretsOf(config),
    response: head.response,
  });
  let reply: CallReply;
  try {
    // Before the request is built, so that requests that wait for their turn hold no text.
    await pace.enter();
    options.signal.throwIfAborted();
    const { signal } = stop;
    const streamed = await send(connection, request, { signal, onText: carefulListener(options.onText), head });
    const failure = replyRefusal(streamed, about());
    reply = failure === null ? answer(streamed, config) : { ...failed(failure), ...spentOn(streamed, config) };
  } catch (error) {
    reply = failed(failureOf(error, about()));
  } finally {
    clearTimeout(alarm);
    options.signal.removeEventListener('abort', cancel);
  }
  // An aborted request has many shapes; the signal decides its class.
  if (options.signal.aborted) return failed(cancelled(about()));
  if (isLate && reply.kind === 'failed') return failed(timedOut(about(), timeoutMs));
  return reply;
}

type Sending = Pick<SendOptions, 'signal' | 'onText' | 'head'>;

async function send(connection: Connection, request: CallRequest, options: Sending): Promise<StreamedReply> {
  const { config, endpoint } = connection;
  const wire = await connection.wire();
  const isForced = await forcesTool(request, config, endpoint);
  // A refused request cost nothing and had no effect, so that it is still one call when it is sent without what was refused.
  const trySending = async (extras: Pick<SendOptions, 'isForced' | 'hasMarks'>): Promise<StreamedReply> => {
    const reply = await wire.send(request, { ...options, ...extras });
    const refusal = reply.error?.cause;
    if (extras.hasMarks && refusesMarks(refusal, endpoint)) return await trySending({ ...extras, hasMarks: false });
    if (extras.isForced && refusesForcing(refusal, config, endpoint)) {
      return await trySending({ ...extras, isForced: false });
    }
    return reply;
  };
  return await trySending({ isForced, hasMarks: takesMarks(endpoint) });
}

function answer(streamed: StreamedReply, config: ModelConfig): CallAnswer {
  const meta = metaOf(streamed.parts, config);
  return {
    kind: 'answered',
    content: streamed.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    toolCalls: streamed.calls,
    ...(Object.keys(streamed.malformed).length === 0 ? {} : { malformed: streamed.malformed }),
    usage: streamed.usage ?? { ...NO_USAGE, calls: 1 },
    costUsd: costOf(streamed.usage, config.price),
    model: streamed.model ?? config.model,
    ...(meta === undefined ? {} : { meta }),
  };
}

const failed = (failure: Failure): CallFailure => ({ kind: 'failed', failure });

function spentOn(streamed: StreamedReply, config: ModelConfig): Pick<CallFailure, 'spent'> {
  if (streamed.usage === null) return {};
  const model = streamed.model ?? config.model;
  return { spent: { usage: streamed.usage, costUsd: costOf(streamed.usage, config.price), model } };
}

function secretsOf(config: ModelConfig): readonly string[] {
  return [config.apiKey ?? '', ...Object.values(config.headers ?? {})];
}
