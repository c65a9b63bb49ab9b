import type { NamedText, SentPart } from '../../core/record/sent-request.ts';
import { quotedText } from './named-texts.ts';

/** A text that may occur in a request, with its name. */
export interface KnownText {
  readonly text: string;
  readonly named: NamedText;
  /** How often it may be quoted there: some vendors put arguments as JSON inside JSON. */
  readonly quoted: readonly number[];
}

/** After this many texts that are not found, the rest is written out. */
const MOST_MISSES = 64;

/**
 * Splits a text at the known ones. Each group belongs to one message, and groups occur in the text in their order; texts
 * that are not found are written out, so that the parts always add up to the text.
 */
export function sentParts(text: string, groups: readonly (readonly KnownText[])[]): readonly SentPart[] {
  const found: FoundText[] = [];
  let until = text.length;
  let misses = 0;
  // Newest first: the same text may occur earlier, in a part of the request that is not in this text.
  for (const group of groups.toReversed()) {
    const places = group.map((known) => placeOf(text, known, until)).filter((place) => place !== null);
    misses += group.length - places.length;
    found.push(...places);
    until = Math.min(until, ...places.map(({ start }) => start));
    if (misses > MOST_MISSES) break;
  }
  return split(text, found);
}

interface FoundText {
  readonly start: number;
  readonly end: number;
  readonly named: NamedText;
}

function placeOf(text: string, { text: known, named, quoted }: KnownText, until: number): FoundText | null {
  for (const times of quoted) {
    const written = quotedText(known, times);
    const start = written.length > until ? -1 : text.lastIndexOf(written, until - written.length);
    if (start === -1) continue;
    return { start, end: start + written.length, named: times === 1 ? named : { ...named, quoted: times } };
  }
  return null;
}

function split(text: string, found: readonly FoundText[]): readonly SentPart[] {
  const parts: SentPart[] = [];
  let at = 0;
  for (const { start, end, named } of found.toSorted((one, other) => one.start - other.start)) {
    // Inside one that was already found.
    if (start < at) continue;
    if (start > at) parts.push(text.slice(at, start));
    parts.push(named);
    at = end;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}
