import type { LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { CallRequest } from '../port.ts';
import type { Caching, Endpoint, ModelConfig } from './model-config.ts';
import type { ModelPrompt } from './prompt.ts';

/**
 * Marks the places where a provider may find a prompt again (A5), at most four: the shared text, the role, the newest block
 * and the block that was the newest in the call before. The first call of a conversation has no such block yet; its first
 * part is marked instead, because other agents may get the same.
 */
export function withCacheMarks(prompt: ModelPrompt, config: ModelConfig): ModelPrompt {
  const mark = markFor(config);
  if (mark === null) return prompt;
  const system = prompt.system.map((message) => ({ ...message, providerOptions: mark.options }));
  return { system, messages: withMarkedParts(prompt.messages, mark) };
}

interface Mark {
  readonly options: SharedV4ProviderOptions;
  /** False where the provider marks the newest block by itself. */
  readonly isRolling: boolean;
}

function markFor({ provider, model, caching = 'on' }: ModelConfig): Mark | null {
  if (caching === 'off') return null;
  if (provider === 'anthropic') {
    const cacheControl = { type: 'ephemeral', ...(caching === '1h' ? { ttl: '1h' } : {}) };
    return { options: { anthropic: { cacheControl } }, isRolling: true };
  }
  if (provider !== 'openai' || !hasBreakpoints(model)) return null;
  return { options: { openai: { promptCacheBreakpoint: { mode: 'explicit' } } }, isRolling: false };
}

/** GPT-5.6 and later find a prefix again only at a mark; earlier models find any prefix. */
function hasBreakpoints(model: string): boolean {
  const [, major = '0', minor = '0'] = /\bgpt-(\d+)(?:\.(\d+))?/i.exec(model) ?? [];
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6);
}

function withMarkedParts(messages: LanguageModelV4Message[], { options, isRolling }: Mark): LanguageModelV4Message[] {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  const newest = messages.length - 1;
  return messages.map((message, index) => {
    const isLast = isRolling && (index === newest || index === spoke - 1);
    return marked(message, options, { first: spoke <= 0 && index === 0, last: isLast });
  });
}

/** Only user text and tool results: an assistant's thinking must be sent back unchanged. */
function marked(
  message: LanguageModelV4Message,
  options: SharedV4ProviderOptions,
  which: Which,
): LanguageModelV4Message {
  if (!which.first && !which.last) return message;
  if (message.role === 'tool') return { ...message, content: withOptions(message.content, options, which) };
  if (message.role !== 'user') return message;
  return { ...message, content: withOptions(message.content, options, which) };
}

interface Which {
  readonly first: boolean;
  readonly last: boolean;
}

function withOptions<Part extends object>(
  parts: Part[],
  providerOptions: SharedV4ProviderOptions,
  which: Which,
): Part[] {
  const isMarked = (index: number) => (which.first && index === 0) || (which.last && index === parts.length - 1);
  return parts.map((part, index) => (isMarked(index) ? { ...part, providerOptions } : part));
}

/** Settings of a whole request to OpenAI. */
export function cachingOptions(request: CallRequest, { model, caching = 'on' }: ModelConfig) {
  // A mode that caches only at marks, without any mark.
  if (caching === 'off') return hasBreakpoints(model) ? { promptCacheOptions: { mode: 'explicit' } } : {};
  return { promptCacheKey: cacheKey(request), ...lifetime(model, caching) };
}

/** One for a run and the runs below it: their prompts begin with the same text. */
const cacheKey = ({ run }: CallRequest): string => (run.split('/')[0] ?? run).slice(0, LONGEST_KEY);

const LONGEST_KEY = 64;

/** The shortest one that lasts an hour. */
function lifetime(model: string, caching: Caching) {
  if (caching !== '1h') return {};
  return hasBreakpoints(model) ? { promptCacheOptions: { ttl: '12h' } } : { promptCacheRetention: '24h' };
}

/** Endpoints that refused marks, for the life of the process. */
const unmarked = new Set<string>();

export const takesMarks = ({ url }: Endpoint): boolean => !unmarked.has(url);

/** Whether a request failed because of its marks. The endpoint gets none from then on. */
export function refusesMarks(error: unknown, { url }: Endpoint): boolean {
  if (!isApiError(error) || ![400, 422].includes(error.statusCode)) return false;
  if (!ABOUT_MARKS.test(`${error.message} ${error.responseBody ?? ''}`)) return false;
  unmarked.add(url);
  return true;
}

const ABOUT_MARKS = /cache_control|prompt_cache|cache control|cache breakpoint/i;

interface ApiError extends Error {
  readonly statusCode: number;
  readonly responseBody?: string;
}

const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';

/** How much a model is to think, as the SDK takes it: it knows the nearest that each model of a vendor has. */
export function reasoningOf({ provider, effort }: ModelConfig) {
  if (provider === 'openai' || effort === undefined) return {};
  return { reasoning: effort === 'off' ? ('none' as const) : effort };
}

/** The same for OpenAI as its own option: the SDK reports only this one where a model does not think at all. */
export function openaiEffort({ model, effort }: ModelConfig) {
  if (effort === undefined) return {};
  if (effort === 'off') return { reasoningEffort: 'none' };
  return { reasoningEffort: effort === 'max' && !hasBreakpoints(model) ? 'xhigh' : effort };
}

/**
 * Whether the model may be made to call a tool (A4): only when its reply was asked for a second time, and only where forcing is
 * known to be accepted. `required`, never one tool by name: the SDK would then leave all others out of the request.
 */
export async function forcesTool(
  { owed, tools }: CallRequest,
  config: ModelConfig,
  endpoint: Endpoint,
): Promise<boolean> {
  if (owed?.isAskedAgain !== true || tools.length === 0 || unforced.has(unforcedKey(config, endpoint))) return false;
  if (config.provider === 'openai') return true;
  return config.provider === 'anthropic' && (await isForcible(config));
}

/** Several models of Claude refuse it, all do while they think; unknown models are not forced. */
async function isForcible({ model, effort = 'off' }: ModelConfig): Promise<boolean> {
  const { getModelCapabilities } = await import('@ai-sdk/anthropic/internal');
  const { isKnownModel, rejectsForcedToolUse } = getModelCapabilities(model);
  return isKnownModel && !rejectsForcedToolUse && effort === 'off';
}

/** Models that refused to be forced, for the life of the process. */
const unforced = new Set<string>();

const unforcedKey = ({ model }: ModelConfig, { url }: Endpoint): string => `${url} ${model}`;

/** Whether a request failed because a tool was forced. The model is not forced again. */
export function refusesForcing(error: unknown, config: ModelConfig, endpoint: Endpoint): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode, message, responseBody = '' } = error as Error & { statusCode: unknown; responseBody?: string };
  if (statusCode !== 400 && statusCode !== 422) return false;
  if (!/tool_choice|tool choice|forced tool/i.test(`${message} ${responseBody}`)) return false;
  unforced.add(unforcedKey(config, endpoint));
  return true;
}

/**
 * Headers of a call. Only loopback endpoints, where scenario files match on them, learn the names of role and run: they are
 * private.
 */
export function callHeaders(request: CallRequest, endpoint: Endpoint): Record<string, string> {
  const always = { 'idempotency-key': headerText(request.idempotencyKey) };
  if (!endpoint.isLoopback) return always;
  return {
    ...always,
    'x-troupe-run': headerText(request.run),
    'x-troupe-role': headerText(request.role.name),
    'x-troupe-agent': headerText(request.agent),
    'x-troupe-state': headerText(request.state),
    'x-troupe-visit': String(request.visit),
    'x-troupe-call': String(request.call),
    'x-troupe-attempt': String(request.attempt),
    'x-troupe-parsing-tools': repliesTaken(request).map(headerText).join(','),
  };
}

/** The structured replies that are taken now. */
export const repliesTaken = ({ owed, role }: Pick<CallRequest, 'owed' | 'role'>): readonly string[] =>
  owed?.tools ?? role.parsingTools.map(({ name }) => name);

/** Header values are printable ASCII; the rest is percent-encoded and decoded by the scripted server. */
function headerText(text: string): string {
  return encodeURIComponent(text);
}
