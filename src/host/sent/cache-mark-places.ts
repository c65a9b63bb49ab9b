import type { SentRequest } from '../../core/record/sent-request.ts';

/** Unescaped, so it is not text of a message. */
const MARK = ',"cache_control":{';

export interface UnmarkedText {
  readonly text: string;
  readonly marks?: NonNullable<SentRequest['marks']>;
}

/** Removes the cache marks from a request: they move with every call, and nothing else before the newest message does. */
export function withoutMarks(text: string): UnmarkedText {
  const places: number[] = [];
  const pieces: string[] = [];
  let [from, length, mark] = [0, 0, ''];
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, from)) {
    const found = text.slice(at, text.indexOf('}', at) + 1);
    if (mark !== '' && found !== mark) return { text };
    mark = found;
    pieces.push(text.slice(from, at));
    length += at - from;
    places.push(length);
    from = at + found.length;
  }
  if (mark === '') return { text };
  return { text: [...pieces, text.slice(from)].join(''), marks: { text: mark, places } };
}

export function withMarksAt(text: string, marks: SentRequest['marks']): string {
  if (marks === undefined) return text;
  const { places } = marks;
  const pieces = places.map((place, index) => `${text.slice(places[index - 1] ?? 0, place)}${marks.text}`);
  return `${pieces.join('')}${text.slice(places.at(-1) ?? 0)}`;
}
