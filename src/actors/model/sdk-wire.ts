import { AsyncLocalStorage } from 'node:async_hooks';
import type { LanguageModelV4, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { CallRequest } from '../port.ts';
import type { Endpoint, ModelConfig } from './model-config.ts';
import { promptFor } from './prompt.ts';
import { takePart } from './read-parts.ts';
import { ReplyDraft } from './reply-draft.ts';
import { cachingOptions, callHeaders, openaiEffort, reasoningOf, withCacheMarks } from './request-settings.ts';
import type { CallHead, Fetch, SendOptions, StreamedReply, ModelWire } from './wire.ts';

/** The two vendors' own formats, by the SDK: it knows what each of their models takes and gives back. */
export function createSdkWire(config: ModelConfig, endpoint: Endpoint, fetch: Fetch): ModelWire {
  let model: Promise<LanguageModelV4> | null = null;
  const forget = (error: unknown): never => {
    model = null;
    throw error;
  };
  return {
    async send(request, options) {
      // Made once: the provider builds its schemas each time, which costs more than a call's own work.
      model ??= loadModel(config, endpoint, watched(fetch)).catch(forget);
      const line: Line = { model: await model, config, endpoint };
      // Loading takes a while the first time.
      options.signal.throwIfAborted();
      return await heads.run(options.head, () => stream(line, request, options));
    },
  };
}

interface Line {
  readonly model: LanguageModelV4;
  readonly config: ModelConfig;
  readonly endpoint: Endpoint;
}

/** Half a second of imports: paid at the first call, and only for the provider in use. */
async function loadModel(config: ModelConfig, endpoint: Endpoint, fetch: Fetch): Promise<LanguageModelV4> {
  const settings = {
    baseURL: endpoint.url,
    headers: { ...config.headers },
    fetch,
    // An empty key rather than none: without one the SDK takes any key from the environment.
    apiKey: config.apiKey?.trim() ?? '',
  };
  if (config.provider === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI(settings).responses(config.model);
  }
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic(settings).messages(config.model);
}

/** Whose call a request and its response belong to: all calls of an actor share one provider, and so one `fetch`. */
const heads = new AsyncLocalStorage<CallHead>();

const watched =
  (send: Fetch): Fetch =>
  async (url, init) => {
    const head = heads.getStore();
    await head?.beforeSent?.();
    // Following a redirect would send the key to another host.
    const sending = send(url, { ...init, redirect: 'manual' });
    if (typeof init?.body === 'string') head?.onSent?.(init.body);
    const response = await sending;
    if (head !== undefined) head.response = { contentType: response.headers.get('content-type') ?? '' };
    return response;
  };

async function stream(line: Line, request: CallRequest, options: SendOptions): Promise<StreamedReply> {
  const { model, config, endpoint } = line;
  const prompt = promptFor(request, config);
  const { system, messages } = options.hasMarks ? withCacheMarks(prompt, config) : prompt;
  const draft = new ReplyDraft(options.onText);
  try {
    const { stream: parts } = await model.doStream({
      prompt: [...system, ...messages],
      ...toolsOf(request, config, options.isForced),
      ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
      ...reasoningOf(config),
      ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
      providerOptions: optionsOf(request, config, options.hasMarks),
      headers: callHeaders(request, endpoint),
      abortSignal: options.signal,
    });
    for await (const part of parts) takePart(draft, part);
    return draft;
  } catch (error) {
    return draft.fail(error);
  }
}

function optionsOf(request: CallRequest, config: ModelConfig, hasMarks: boolean) {
  if (config.provider !== 'openai') return {};
  // Stateless on OpenAI's side too: the journal keeps the conversation, and reasoning comes back encrypted.
  return { openai: { store: false, ...openaiEffort(config), ...(hasMarks ? cachingOptions(request, config) : {}) } };
}

function toolsOf({ tools }: CallRequest, { provider }: ModelConfig, isForced: boolean) {
  if (tools.length === 0) return {};
  // OpenAI would else rewrite schemas for its strict mode, where optional fields become required.
  const loose = provider === 'openai' ? { strict: false } : {};
  return {
    tools: tools.map(({ name, description, parameters }): LanguageModelV4FunctionTool => {
      return { type: 'function', name, description, inputSchema: parameters, ...loose };
    }),
    toolChoice: { type: isForced ? ('required' as const) : ('auto' as const) },
  };
}
