import type * as sdk from 'ai';
import { unreachable } from '../../core/fault.ts';
import type { Endpoint, ModelConfig } from './model-config.ts';

/** Half a second of imports: paid at the first call, and only for the provider in use. */
export async function loadModel(config: ModelConfig, endpoint: Endpoint, fetch: Fetch): Promise<sdk.LanguageModel> {
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
export type Sdk = typeof sdk;

export async function loadSdk(): Promise<Sdk> {
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return await import('ai');
}
