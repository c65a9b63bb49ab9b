import type { Json } from '../core/model/json.ts';
import { FormMatcher, type FoundForm } from './form-matcher.ts';
import { redactJson } from './redact-json.ts';
import { secretForms } from './secret-forms.ts';
import { isSecretValue } from './secret-value.ts';
import { StreamRedactor, type StreamSecrets } from './stream-redactor.ts';

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/**
 * The secret values that this process knows, and the one function that takes them out of text.
 *
 * [S1] No form of a known value is left in what `redact` returns; redacting twice changes nothing more.
 * [S2] Text without a secret comes back as it is, the same object where it is JSON.
 * [S3] A value that could be an ordinary word is no secret (`isSecretValue`).
 */
export class KnownSecrets implements StreamSecrets {
  readonly #parent: KnownSecrets | null;
  readonly #values = new Map<string, Holder>();
  /** Counts changes of what is known here. */
  #version = 0;
  #matcher: { readonly version: number; readonly forms: FormMatcher | null } | null = null;

  /** Knows what the parent knows too, also what that learns later. */
  constructor(parent: KnownSecrets | null = null) {
    this.#parent = parent;
  }

  /** `name` is what messages call it, such as the variable that holds it. Returns the undo, for values that expire. */
  add(name: string, value: string | undefined): () => void {
    const text = (value ?? '').trim();
    if (!isSecretValue(text)) return () => undefined;
    const holder = this.#values.get(text) ?? { name, count: 0 };
    if (holder.count === 0) this.#version += 1;
    this.#values.set(text, { ...holder, count: holder.count + 1 });
    return () => this.#forget(text);
  }

  #forget(text: string): void {
    const holder = this.#values.get(text);
    if (holder === undefined) return;
    if (holder.count > 1) return void this.#values.set(text, { ...holder, count: holder.count - 1 });
    this.#values.delete(text);
    this.#version += 1;
  }

  get isEmpty(): boolean {
    return this.#current() === null;
  }

  redact(text: string): string {
    const found = this.find(text);
    if (found.length === 0) return text;
    const pieces = found.map(({ start }, index) => text.slice(found[index - 1]?.end ?? 0, start) + REDACTED);
    return pieces.join('') + text.slice(found.at(-1)?.end ?? 0);
  }

  /** The same value where there is nothing to redact. */
  redactJson<Value extends Json>(value: Value): Value {
    return this.#current() === null ? value : (redactJson(value, (text) => this.redact(text)) as Value);
  }

  find(text: string): readonly FoundForm[] {
    return this.#current()?.find(text) ?? [];
  }

  settledLength(text: string): number {
    const from = this.#current()?.unfinishedFrom(text) ?? text.length;
    const around = this.find(text).find(({ start, end }) => start < from && from < end);
    return around?.start ?? from;
  }

  stream(): StreamRedactor {
    return new StreamRedactor(this);
  }

  /** Null while nothing is known. Built when it is first needed. */
  #current(): FormMatcher | null {
    const version = this.#wholeVersion();
    if (this.#matcher?.version !== version) this.#matcher = { version, forms: matcherFor(this.#all()) };
    return this.#matcher.forms;
  }

  #wholeVersion(): number {
    return this.#version + (this.#parent === null ? 0 : this.#parent.#wholeVersion());
  }

  #all(): ReadonlyMap<string, Holder> {
    return this.#parent === null ? this.#values : new Map([...this.#parent.#all(), ...this.#values]);
  }
}

function matcherFor(values: ReadonlyMap<string, Holder>): FormMatcher | null {
  if (values.size === 0) return null;
  const forms = [...values].flatMap(([value, { name }]) => secretForms(value).map((text) => ({ text, secret: name })));
  return new FormMatcher(forms);
}

interface Holder {
  readonly name: string;
  readonly count: number;
}
