import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { Usage } from '../../core/model/usage.ts';
import { overflowIn } from './endpoint-error.ts';
import type { Finish, ReplyPart, StreamedReply } from './wire.ts';

/** A reply while it streams in. */
export class ReplyDraft implements StreamedReply {
  readonly parts: ReplyPart[] = [];
  readonly calls: ToolCall[] = [];
  // A model chooses the ids: without a prototype, `__proto__` is a key like any other.
  readonly malformed = Object.create(null) as Record<string, string>;
  usage: Usage | null = null;
  model: string | null = null;
  finish: Finish | null = null;
  ignored: readonly string[] = [];
  error: { readonly cause: unknown } | null = null;
  readonly #onText: (delta: string) => void;
  /** Text and reasoning still being said, by the stream's own ids. */
  readonly #words = new Map<string, Words>();

  constructor(onText: (delta: string) => void) {
    this.#onText = onText;
  }

  say(
    kind: Words['kind'],
    text: string,
    { id = '', options }: { readonly id?: string; readonly options?: unknown } = {},
  ) {
    const key = `${kind} ${id}`;
    let words = this.#words.get(key);
    if (words === undefined) {
      words = { kind, text: '' };
      this.#words.set(key, words);
      this.parts.push(words);
    }
    words.text += text;
    // A signature comes with the last piece, an item's id with the first.
    if (isJsonObject(options)) words.options = merged(words.options, options);
    if (kind === 'text' && text !== '') this.#onText(text);
  }

  /** `text`: its arguments. Invalid JSON stays text. */
  call(call: { readonly id: string; readonly name: string; readonly text: string }, options?: unknown): void {
    const id = this.#freshId(call.id);
    const { value, problem } = argumentsIn(call.text);
    this.calls.push({ id, name: call.name, arguments: value });
    this.parts.push({ kind: 'call', id, ...(isJsonObject(options) ? { options } : {}) });
    if (problem !== null) this.malformed[id] = problem;
  }

  /** Some servers omit ids or repeat one within a message; results would then be ambiguous. */
  #freshId(id: string): string {
    const isTaken = id === '' || this.calls.some((call) => call.id === id);
    return isTaken ? `${id === '' ? 'call' : id}_${this.calls.length + 1}` : id;
  }

  end(finish: Finish, raw: string | undefined): void {
    this.finish = overflowIn(raw ?? '') === null ? finish : 'overflow';
  }

  /** The first error is the one that counts. */
  fail(cause: unknown): this {
    this.error ??= { cause };
    return this;
  }
}

interface Words {
  readonly kind: 'text' | 'reasoning';
  text: string;
  options?: JsonObject;
}

function argumentsIn(text: string): { readonly value: Json; readonly problem: string | null } {
  if (text.trim() === '') return { value: {}, problem: null };
  try {
    const value = JSON.parse(text) as Json;
    return { value, problem: isJsonObject(value) ? null : 'The arguments must be a JSON object.' };
  } catch (error) {
    return {
      value: text,
      problem: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function merged(old: JsonObject | undefined, added: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...old };
  for (const [provider, fields] of Object.entries(added)) {
    const before = all[provider];
    all[provider] = isJsonObject(before) && isJsonObject(fields) ? { ...before, ...fields } : fields;
  }
  return all;
}
