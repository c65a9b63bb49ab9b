import type { StreamedReply } from './wire.ts';
import type { CallWarning, FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { Usage } from '../../core/model/usage.ts';
import { overflowIn } from './endpoint-error.ts';
import type { ReplyPart } from './wire.ts';

/** What is wrong with a call's arguments before any schema is looked at; text here is what would not parse. */
export function argumentProblem(value: Json): string | null {
  if (isJsonObject(value)) return null;
  if (typeof value !== 'string') return 'The arguments must be a JSON object.';
  try {
    JSON.parse(value);
    return 'The arguments must be a JSON object.';
  } catch (error) {
    return `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Part = TextStreamPart<ToolSet>;

export async function readStream(stream: AsyncIterable<Part>, onText: (delta: string) => void): Promise<StreamedReply> {
  const draft: Draft = {
    parts: [],
    byId: new Map(),
    calls: [],
    // A model chooses the ids: without a prototype, `__proto__` is a key like any other.
    malformed: Object.create(null) as Record<string, string>,
    usage: null,
    model: null,
    finish: null,
    finishOfText: null,
    ignored: [],
    error: null,
  };
  for await (const part of stream) {
    take(draft, part);
    if (part.type === 'text-delta' && part.text !== '') onText(part.text);
  }
  return draft.finishOfText === null ? draft : { ...draft, finish: draft.finishOfText };
}

interface Draft {
  readonly parts: (Words | CallPart)[];
  /** Text and reasoning still being said, by the stream's own ids. */
  readonly byId: Map<string, Words>;
  readonly calls: ToolCall[];
  readonly malformed: Record<string, string>;
  usage: Usage | null;
  model: string | null;
  finish: StreamedReply['finish'];
  /** How text really ended that came although the model was made to call a tool; the engine decides what that means. */
  finishOfText: FinishReason | null;
  ignored: readonly string[];
  error: { readonly cause: unknown } | null;
}

interface Words {
  readonly kind: 'text' | 'reasoning';
  text: string;
  options?: JsonObject;
}

type CallPart = Extract<ReplyPart, { kind: 'call' }>;

function take(draft: Draft, part: Part): void {
  switch (part.type) {
    case 'tool-call':
      return takeCall(draft, part);
    case 'start-step':
      draft.ignored = part.warnings.flatMap(ignoredSetting);
      return;
    case 'finish-step':
      draft.usage = usageOf(part.usage);
      draft.finish = overflowIn(part.rawFinishReason ?? '') === null ? part.finishReason : 'overflow';
      draft.model = part.response.modelId;
      return;
    case 'error':
      return takeError(draft, part.error);
    default:
      return takeWords(draft, part);
  }
}

/** A setting that is mapped to the nearest one of the model still has an effect. */
function ignoredSetting(warning: CallWarning): readonly string[] {
  if (warning.type !== 'unsupported' || !SETTINGS.test(warning.feature)) return [];
  return [warning.details ?? `${warning.feature} is not supported`];
}

const SETTINGS = /^(temperature|reasoning|reasoningEffort|promptCacheRetention)$/;

function takeError(draft: Draft, error: unknown): void {
  const isOnlyText = error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
  if (isOnlyText) draft.finishOfText = (error as Error & { readonly finishReason: FinishReason }).finishReason;
  else draft.error ??= { cause: error };
}

/** Sources, files, raw chunks and the SDK's own milestones are passed over: they carry nothing for a coding agent. */
function takeWords(draft: Draft, part: Part): void {
  const match = /^(text|reasoning)-(start|delta|end)$/.exec(part.type);
  if (match === null) return;
  const { id, text = '', providerMetadata } = part as WordsPart;
  const kind = match[1] as Words['kind'];
  const key = `${kind} ${id}`;
  let words = draft.byId.get(key);
  if (words === undefined) {
    words = { kind, text: '' };
    draft.byId.set(key, words);
    draft.parts.push(words);
  }
  words.text += text;
  // A signature comes with the last piece, an item's id with the first.
  if (isJsonObject(providerMetadata)) words.options = merged(words.options, providerMetadata);
}

interface WordsPart {
  readonly id: string;
  readonly text?: string;
  readonly providerMetadata?: unknown;
}

function takeCall(draft: Draft, part: Extract<Part, { type: 'tool-call' }>): void {
  // A call the provider ran by itself is not for the engine.
  if (part.providerExecuted === true) return;
  const id = freshId(draft.calls, part.toolCallId);
  const value = (part.input ?? {}) as Json;
  draft.calls.push({ id, name: part.toolName, arguments: value });
  const options = isJsonObject(part.providerMetadata) ? { options: part.providerMetadata } : {};
  draft.parts.push({ kind: 'call', id, ...options });
  const problem = argumentProblem(value);
  if (problem !== null) draft.malformed[id] = problem;
}

/** Some servers leave ids out or give every call of a message the same one; results could then not be told apart. */
export function freshId(calls: readonly ToolCall[], id: string): string {
  const isTaken = id === '' || calls.some((call) => call.id === id);
  return isTaken ? `${id === '' ? 'call' : id}_${calls.length + 1}` : id;
}

function merged(old: JsonObject | undefined, added: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...old };
  for (const [provider, fields] of Object.entries(added)) {
    const before = all[provider];
    all[provider] = isJsonObject(before) && isJsonObject(fields) ? { ...before, ...fields } : fields;
  }
  return all;
}

/** Null when the endpoint did not count: zero would be a claim. */
function usageOf(usage: LanguageModelUsage): Usage | null {
  if (usage.inputTokens === undefined || usage.outputTokens === undefined) return null;
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.inputTokenDetails.cacheWriteTokens ?? 0,
    calls: 1,
  };
}
