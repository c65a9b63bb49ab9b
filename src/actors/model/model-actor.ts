import { AsyncLocalStorage } from 'node:async_hooks';
import type * as sdk from 'ai';
import type { LanguageModel, ToolSet } from 'ai';
import type { Failure } from '../../core/model/outcome.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { unreachable } from '../../core/model/fault.ts';
import type { Actor, CallAnswer, CallFailure, CallOptions, CallReply, CallRequest } from '../port.ts';
import { carefulListener } from '../careful-listener.ts';
import {
  cachingOptions,
  callHeaders,
  forcesTool,
  openaiEffort,
  reasoningOf,
  refusesForcing,
  refusesMarks,
  takesMarks,
  withCacheMarks,
} from './request-settings.ts';
import { cancelled, type FailedCall, failureOf, replyRefusal, timedOut } from './call-failure.ts';
import { costOf, type Endpoint, endpointOf, type ModelConfig, windowOf } from './model-config.ts';
import { metaOf, promptFor } from './prompt.ts';
import { readStream, type StreamedReply } from './read-stream.ts';

/** Half a second of imports: paid at the first call, and only for the provider in use. */
async function loadModel(config: ModelConfig, endpoint: Endpoint, fetch: Fetch): Promise<sdk.LanguageModel> {
  const headers = { ...config.headers };
  switch (config.provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = config.apiKey === undefined ? {} : { apiKey: keyOf(config) };
      const settings = {
        name: PROVIDER_NAME,
        baseURL: endpoint.url,
        headers,
        fetch,
        includeUsage: true,
        transformRequestBody,
        ...key,
      };
      return createOpenAICompatible(settings).chatModel(config.model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL: endpoint.url, headers, fetch, apiKey: keyOf(config) }).responses(config.model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: endpoint.url, headers, fetch, apiKey: keyOf(config) }).messages(config.model);
    }
    default:
      return unreachable(config.provider);
  }
}

/** `auto` is what endpoints do without the field, and some of them refuse the field. */
function transformRequestBody(body: Record<string, unknown>): Record<string, unknown> {
  return { ...body, tool_choice: undefined };
}

export type Fetch = typeof globalThis.fetch;

const PROVIDER_NAME = 'endpoint';

/** An empty key rather than none: without one the SDK takes whatever key lies in the environment. */
const keyOf = (config: ModelConfig): string => config.apiKey?.trim() ?? '';

/** The SDK itself, told to keep its warnings to itself: standard error belongs to the command line. */
type Sdk = typeof sdk;

async function loadSdk(): Promise<Sdk> {
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return await import('ai');
}

/**
 * A model behind an API. One call is one model step: tools are offered without a way to run them, and nothing is tried
 * again here, because both are the engine's journaled decisions.
 */
export function createModelActor(config: ModelConfig, send: typeof globalThis.fetch = globalFetch): Actor {
  const endpoint = endpointOf(config);
  let model: Promise<LanguageModel> | null = null;
  const forget = (error: unknown): never => {
    model = null;
    throw error;
  };
  // Made once: the provider builds its schemas each time, which costs more than a call's own work.
  const connection: Connection = {
    config,
    endpoint,
    model: () => (model ??= loadModel(config, endpoint, watched(send)).catch(forget)),
  };
  return {
    kind: 'model',
    window: windowOf(config, endpoint),
    call: (request, options) => call(connection, request, options),
  };
}

interface Connection {
  readonly config: ModelConfig;
  readonly endpoint: Endpoint;
  readonly model: () => Promise<LanguageModel>;
}

/** Whose call a request and its response belong to: all calls of an actor share one provider, and so one `fetch`. */
const heads = new AsyncLocalStorage<CallHead>();

const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

const watched =
  (send: Fetch): Fetch =>
  async (url, init) => {
    const head = heads.getStore();
    await head?.beforeSent?.();
    // A key sent along a redirect would end up with whoever the endpoint points at.
    const sending = send(url, { ...init, redirect: 'manual' });
    if (typeof init?.body === 'string') head?.onSent?.(init.body);
    const response = await sending;
    if (head !== undefined) head.response = { contentType: response.headers.get('content-type') ?? '' };
    return response;
  };

const DEFAULT_TIMEOUT_MS = 600_000;

async function call(connection: Connection, request: CallRequest, options: CallOptions): Promise<CallReply> {
  const { config, endpoint } = connection;
  const timeoutMs = config.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = new AbortController();
  const alarm = setTimeout(() => deadline.abort(), timeoutMs);
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
    const signal = AbortSignal.any([options.signal, deadline.signal]);
    const streamed = await heads.run(head, () =>
      stream(connection, request, { signal, onText: carefulListener(options.onText) }),
    );
    const failure = replyRefusal(streamed, about());
    reply = failure === null ? answer(streamed, config) : { ...failed(failure), ...spentOn(streamed, config) };
  } catch (error) {
    reply = failed(failureOf(error, about()));
  } finally {
    clearTimeout(alarm);
  }
  // Whatever an aborted request looks like from inside, who stopped it decides what it is called.
  if (options.signal.aborted) return failed(cancelled(about()));
  if (deadline.signal.aborted && reply.kind === 'failed') return failed(timedOut(about(), timeoutMs));
  return reply;
}

interface CallHead {
  response: { readonly contentType: string } | null;
  readonly beforeSent?: () => Promise<void> | undefined;
  readonly onSent?: (text: string) => void;
}

interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onText: (delta: string) => void;
}

async function stream(connection: Connection, request: CallRequest, options: StreamOptions): Promise<StreamedReply> {
  options.signal.throwIfAborted();
  const { config, endpoint } = connection;
  const [sdk, model] = await Promise.all([loadSdk(), connection.model()]);
  // Loading takes a while the first time.
  options.signal.throwIfAborted();
  const line: Line = { sdk, model, config, endpoint };
  const isForced = await forcesTool(request, config, endpoint);
  return await trySending(line, request, { ...options, isForced, hasMarks: takesMarks(endpoint) });
}

/** A refused request cost nothing and had no effect, so that it is still one call when it is sent without what was refused. */
async function trySending(line: Line, request: CallRequest, options: SendOptions): Promise<StreamedReply> {
  const { config, endpoint } = line;
  const reply = await send(line, request, options);
  const refusal = reply.error?.cause;
  if (options.hasMarks && refusesMarks(refusal, endpoint)) {
    return await trySending(line, request, { ...options, hasMarks: false });
  }
  if (!options.isForced || !refusesForcing(refusal, config, endpoint)) return reply;
  return await trySending(line, request, { ...options, isForced: false });
}

interface Line extends Pick<Connection, 'config' | 'endpoint'> {
  readonly sdk: Sdk;
  readonly model: LanguageModel;
}

interface SendOptions extends StreamOptions {
  readonly isForced: boolean;
  readonly hasMarks: boolean;
}

async function send(line: Line, request: CallRequest, options: SendOptions): Promise<StreamedReply> {
  const { sdk, model, config, endpoint } = line;
  const tools = request.tools.length === 0 ? {} : { tools: toolSet(sdk, request, config) };
  const prompt = promptFor(request, config);
  const { system, messages } = options.hasMarks ? withCacheMarks(prompt, config) : prompt;
  const result = sdk.streamText({
    model,
    messages,
    ...(system.length === 0 ? {} : { instructions: system }),
    ...tools,
    ...(options.isForced ? { toolChoice: 'required' as const } : {}),
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
    ...reasoningOf(config),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    providerOptions: optionsOf(request, config, options.hasMarks),
    headers: callHeaders(request, endpoint),
    maxRetries: 0,
    abortSignal: options.signal,
    onError: ignore,
  });
  return await readStream(result.stream, options.onText);
}

function optionsOf(request: CallRequest, config: ModelConfig, hasMarks: boolean) {
  if (config.provider !== 'openai') return {};
  // Stateless on OpenAI's side too: the journal keeps the conversation, and reasoning comes back encrypted.
  return { openai: { store: false, ...openaiEffort(config), ...(hasMarks ? cachingOptions(request, config) : {}) } };
}

function toolSet(sdk: Sdk, request: CallRequest, config: ModelConfig): ToolSet {
  // OpenAI would else rewrite schemas for its strict mode, where optional fields become required.
  const loose = config.provider === 'openai' ? { strict: false } : {};
  return Object.fromEntries(
    request.tools.map((spec) => [
      spec.name,
      sdk.tool({ description: spec.description, inputSchema: sdk.jsonSchema(spec.parameters), ...loose }),
    ]),
  );
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

const ignore = (): void => undefined;

function secretsOf(config: ModelConfig): readonly string[] {
  return [config.apiKey ?? '', ...Object.values(config.headers ?? {})];
}
