import type { Json } from '../../core/json.ts';

export interface FoundText {
  readonly path: readonly (string | number)[];
  readonly excerpt: string;
  readonly offset: number;
  /** How often it stands in all texts that were looked through. */
  readonly count: number;
}

const AROUND = 80;

/** Looks for a text in all texts of a value, whatever its case; its keys are no text. Null where it is nowhere. */
export function findText(value: unknown, needle: string): FoundText | null {
  const finder = new Finder(needle);
  finder.look(value as Json, []);
  return finder.found();
}

class Finder {
  readonly #needle: RegExp;
  #first: Omit<FoundText, 'count'> | null = null;
  #count = 0;

  constructor(needle: string) {
    this.#needle = new RegExp(needle.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  }

  found(): FoundText | null {
    return this.#first === null ? null : { ...this.#first, count: this.#count };
  }

  look(value: Json, path: readonly (string | number)[]): void {
    if (typeof value === 'string') this.#lookInText(value, path);
    else if (Array.isArray(value)) for (const [index, one] of value.entries()) this.look(one, [...path, index]);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) this.look(one, [...path, key]);
    }
  }

  #lookInText(text: string, path: readonly (string | number)[]): void {
    for (const match of text.matchAll(this.#needle)) {
      this.#count += 1;
      this.#first ??= { path, ...excerptOf(text, match.index, match[0].length) };
    }
  }
}

/** In one line, with a mark where something was left out. */
function excerptOf(text: string, at: number, length: number): { readonly excerpt: string; readonly offset: number } {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  const before = `${from > 0 ? '…' : ''}${text.slice(from, at)}`;
  const after = `${text.slice(at, to)}${to < text.length ? '…' : ''}`;
  return { excerpt: flat(before + after), offset: before.length };
}

/** As long as it was, so that offsets stay true; halves of characters that the cut made are no text either. */
const flat = (text: string): string => text.replaceAll(/[\r\n\t]/g, ' ').toWellFormed();
