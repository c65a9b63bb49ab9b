import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';

/** A reply in the order the model gave it, with what its provider wants back word for word. */
export type ReplyPart =
  | { readonly kind: 'text'; readonly text: string; readonly options?: JsonObject }
  | { readonly kind: 'reasoning'; readonly text: string; readonly options?: JsonObject }
  | { readonly kind: 'call'; readonly id: string; readonly options?: JsonObject };

/** The model that said it. Signatures and encrypted reasoning mean nothing to another one. */
export interface MetaSource {
  readonly provider: string;
  readonly model: string;
}

/** Undefined when text and calls say it all. Text and arguments are not stored twice: the message has them. */
export function metaOf(parts: readonly ReplyPart[], source: MetaSource): Json | undefined {
  if (!parts.some((part) => part.kind === 'reasoning' || part.options !== undefined)) return undefined;
  const stored = parts.map((part) =>
    part.kind === 'text' ? { kind: 'text', length: part.text.length, options: part.options } : part,
  );
  // Provider metadata may hold undefined and other things that JSON has not.
  return JSON.parse(JSON.stringify({ provider: source.provider, model: source.model, parts: stored })) as Json;
}

/** The parts of a message said earlier. Without usable `meta`: its text, then its calls. */
export function replyParts(
  message: { readonly content: string; readonly toolCalls?: readonly ToolCall[]; readonly meta?: Json },
  source: MetaSource,
): readonly ReplyPart[] {
  return storedParts(message.content, message.meta, source) ?? plainParts(message.content, message.toolCalls ?? []);
}

function plainParts(content: string, calls: readonly ToolCall[]): readonly ReplyPart[] {
  const text: ReplyPart[] = content === '' ? [] : [{ kind: 'text', text: content }];
  return [...text, ...calls.map((call): ReplyPart => ({ kind: 'call', id: call.id }))];
}

function storedParts(content: string, meta: Json | undefined, source: MetaSource): readonly ReplyPart[] | null {
  if (!isJsonObject(meta) || meta['provider'] !== source.provider || meta['model'] !== source.model) return null;
  const stored = meta['parts'];
  if (!Array.isArray(stored)) return null;
  const parts: ReplyPart[] = [];
  let from = 0;
  for (const entry of stored as readonly Json[]) {
    const part = isJsonObject(entry) ? storedPart(entry, content.slice(from)) : null;
    if (part === null) return null;
    if (part.kind === 'text') from += part.text.length;
    parts.push(part);
  }
  // Words that were changed since do not belong to these signatures any more.
  return from === content.length ? parts : null;
}

function storedPart(entry: JsonObject, rest: string): ReplyPart | null {
  const options = isJsonObject(entry['options']) ? { options: entry['options'] } : {};
  const { kind, length, text, id } = entry;
  if (kind === 'text' && typeof length === 'number') return { kind, text: rest.slice(0, length), ...options };
  if (kind === 'reasoning' && typeof text === 'string') return { kind, text, ...options };
  if (kind === 'call' && typeof id === 'string') return { kind, id, ...options };
  return null;
}
