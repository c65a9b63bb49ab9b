import { LONGEST_GAP, matchLength, whiteSpaceBehind } from './match-length.ts';

/** Text from `start` up to `end` is a form of this secret. */
export interface FoundForm {
  readonly start: number;
  readonly end: number;
  readonly secret: string;
}

/** A form to look for, and the name of the secret it belongs to. */
export interface NamedForm {
  readonly text: string;
  readonly secret: string;
}

interface Window {
  readonly form: NamedForm;
  readonly offset: number;
  readonly text: string;
}

/** Windows as long as this skip almost all of a text; longer ones skip no more. */
const LONGEST_WINDOW = 32;
/** Every form has so many windows side by side. */
const WINDOWS = 2;
const TABLE_SIZE = 1 << 16;
/** So many characters decide how far to skip. */
const BLOCK = 3;

/**
 * Finds many forms in one pass (Wu and Manber): a table of three characters says how far to skip, so text without a secret is
 * mostly not even read. Every form is found by either of two windows, so that one line break inside of it hides nothing.
 */
export class FormMatcher {
  readonly #length: number;
  readonly #skips = new Uint8Array(TABLE_SIZE);
  readonly #windows = new Map<number, Window[]>();
  readonly #byFirst = new Map<number, NamedForm[]>();
  /** A form with its line breaks. */
  readonly #longestSpan: number;

  constructor(forms: readonly NamedForm[]) {
    const lengths = forms.map(({ text }) => text.length);
    this.#length = Math.min(LONGEST_WINDOW, Math.floor(Math.min(...lengths) / WINDOWS));
    this.#longestSpan = 2 * Math.max(0, ...lengths) + LONGEST_GAP;
    this.#skips.fill(this.#length - BLOCK + 1);
    for (const form of forms) {
      const first = form.text.charCodeAt(0);
      const known = this.#byFirst.get(first);
      if (known === undefined) this.#byFirst.set(first, [form]);
      else known.push(form);
      for (let window = 0; window < WINDOWS; window += 1) this.#addWindow(form, window * this.#length);
    }
  }

  #addWindow(form: NamedForm, offset: number): void {
    const text = form.text.slice(offset, offset + this.#length);
    for (let at = BLOCK - 1; at < text.length; at += 1) {
      const block = blockAt(text, at);
      this.#skips[block] = Math.min(this.#skips[block] ?? 0, text.length - 1 - at);
    }
    const last = blockAt(text, text.length - 1);
    const known = this.#windows.get(last);
    if (known === undefined) this.#windows.set(last, [{ form, offset, text }]);
    else known.push({ form, offset, text });
  }

  /** In order of their starts; those that overlap are one. */
  find(text: string): readonly FoundForm[] {
    const found: FoundForm[] = [];
    const skips = this.#skips;
    for (let at = this.#length - 1; at < text.length;) {
      const block = blockAt(text, at);
      const skip = skips[block] ?? 0;
      if (skip === 0) this.#addForms(text, at, found);
      at += skip || 1;
    }
    return found.length < 2 ? found : joined(found);
  }

  /** The forms of which a window ends here. */
  #addForms(text: string, at: number, found: FoundForm[]): void {
    const from = at - this.#length + 1;
    for (const window of this.#windows.get(blockAt(text, at)) ?? []) {
      const whole = text.startsWith(window.text, from) ? wholeForm(text, from, window) : null;
      if (whole !== null) found.push(whole);
    }
  }

  /** Where the end of a text begins that may be the beginning of a form; the length of the text where there is none. */
  unfinishedFrom(text: string): number {
    for (let start = Math.max(0, text.length - this.#longestSpan); start < text.length; start += 1) {
      const forms = this.#byFirst.get(text.charCodeAt(start)) ?? [];
      if (forms.some((form) => matchLength(text, start, form.text).isCut)) return start;
    }
    return text.length;
  }
}

/** The characters up to here as one number. */
function blockAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 2) << 10) ^ (text.charCodeAt(at - 1) << 5) ^ text.charCodeAt(at)) & (TABLE_SIZE - 1);
}

/** The window is there; now all that is before it and behind it. */
function wholeForm(text: string, from: number, { form, offset }: Window): FoundForm | null {
  const start = offset === 0 ? from : startBehind(text, from, form.text.slice(0, offset));
  if (start === null) return null;
  const { end } = matchLength(text, start, form.text);
  return end === null ? null : { start, end, secret: form.secret };
}

/** Reads backwards from `from`; white space between the characters does not count. */
function startBehind(text: string, from: number, before: string): number | null {
  let at = from;
  for (let left = before.length; left > 0; left -= 1) {
    if (text[at - 1] !== before[left - 1]) at -= whiteSpaceBehind(text, at);
    if (text[at - 1] !== before[left - 1]) return null;
    at -= 1;
  }
  return at;
}

function joined(found: readonly FoundForm[]): readonly FoundForm[] {
  const all: FoundForm[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || one.start >= last.end) all.push(one);
    else if (one.end > last.end) all[all.length - 1] = { ...last, end: one.end };
  }
  return all;
}
