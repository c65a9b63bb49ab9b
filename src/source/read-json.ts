import type { Json } from '../core/model/json.ts';
import type { MemberPlace, SourcePlace } from './place.ts';
import { FORBIDDEN_KEYS, MAX_DEPTH, MAX_NODES, SourceError } from './source-error.ts';

/**
 * JSON with places. JSON.parse reports no positions, silently keeps the last of two equal keys and follows any depth, so the
 * structure is read here and only scalars are left to it.
 */
export function readJson(text: string): { readonly document: Json; readonly place: SourcePlace } {
  const cursor: Cursor = { text, offset: 0, nodes: 0 };
  skipSpace(cursor);
  const read = readValue(cursor, 0);
  skipSpace(cursor);
  if (cursor.offset < text.length) throw syntaxError(cursor, 'nothing may follow the end of the document');
  return { document: read.value, place: read.place };
}

interface Cursor {
  readonly text: string;
  offset: number;
  nodes: number;
}

interface Read {
  readonly value: Json;
  readonly place: SourcePlace;
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Searched, not matched as one pattern: a text of a megabyte must not fill the stack of the regular expression. */
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these characters inside a text.
const SPECIAL = /["\\\u0000-\u001f]/g;
const SPACE = /[ \t\r\n]*/y;

function readValue(cursor: Cursor, depth: number): Read {
  cursor.nodes += 1;
  if (cursor.nodes > MAX_NODES) {
    throw new SourceError('SOURCE_TOO_MANY_NODES', `The file has more than ${MAX_NODES} values.`, cursor);
  }
  const start = cursor.offset;
  const first = cursor.text[start];
  if (first === '{' || first === '[') {
    if (depth >= MAX_DEPTH) {
      throw new SourceError('SOURCE_TOO_DEEP', `The file nests deeper than ${MAX_DEPTH} levels.`, cursor);
    }
    return first === '{' ? readObject(cursor, depth) : readArray(cursor, depth);
  }
  if (first === '"') return { value: readString(cursor), place: { start } };
  const word = match(cursor, SCALAR);
  if (word === null) throw syntaxError(cursor, 'a value is expected');
  const value = JSON.parse(word) as Json;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new SourceError('SOURCE_VALUE', `The number ${word} is too large.`, { offset: start });
  }
  return { value, place: { start } };
}

function readObject(cursor: Cursor, depth: number): Read {
  const start = cursor.offset;
  const value: Record<string, Json> = {};
  const members = new Map<string, MemberPlace>();
  readList(cursor, '}', () => {
    const keyStart = cursor.offset;
    if (cursor.text[keyStart] !== '"') throw syntaxError(cursor, 'a key in double quotes is expected');
    const key = readString(cursor);
    checkKey(key, keyStart, members);
    skipSpace(cursor);
    if (cursor.text[cursor.offset] !== ':') throw syntaxError(cursor, `a colon is expected after the key "${key}"`);
    cursor.offset += 1;
    skipSpace(cursor);
    const member = readValue(cursor, depth + 1);
    value[key] = member.value;
    members.set(key, { keyStart, value: member.place });
  });
  return { value, place: { start, members } };
}

function readArray(cursor: Cursor, depth: number): Read {
  const start = cursor.offset;
  const value: Json[] = [];
  const items: SourcePlace[] = [];
  readList(cursor, ']', () => {
    const item = readValue(cursor, depth + 1);
    value.push(item.value);
    items.push(item.place);
  });
  return { value, place: { start, items } };
}

/** The common part of objects and arrays: the brackets, the commas and the space between. */
function readList(cursor: Cursor, close: '}' | ']', readEntry: () => void): void {
  cursor.offset += 1;
  skipSpace(cursor);
  if (cursor.text[cursor.offset] === close) {
    cursor.offset += 1;
    return;
  }
  for (;;) {
    readEntry();
    skipSpace(cursor);
    const next = cursor.text[cursor.offset];
    if (next !== ',' && next !== close) throw syntaxError(cursor, `a comma or "${close}" is expected`);
    cursor.offset += 1;
    if (next === close) return;
    skipSpace(cursor);
    if (cursor.text[cursor.offset] === close) throw syntaxError(cursor, 'something must follow a comma');
  }
}

function checkKey(key: string, offset: number, members: ReadonlyMap<string, MemberPlace>): void {
  if (FORBIDDEN_KEYS.has(key)) {
    throw new SourceError('SOURCE_FORBIDDEN_KEY', `The key "${key}" is not allowed.`, { offset });
  }
  if (members.has(key)) {
    throw new SourceError('SOURCE_DUPLICATE_KEY', `The key "${key}" is given twice.`, { offset });
  }
}

function readString(cursor: Cursor): string {
  const start = cursor.offset;
  cursor.offset = endOfString(cursor);
  const token = cursor.text.slice(start, cursor.offset);
  const value = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (!value.isWellFormed()) {
    throw new SourceError('SOURCE_VALUE', 'This text has half of a surrogate pair in it.', { offset: start });
  }
  return value;
}

function endOfString(cursor: Cursor): number {
  const start = cursor.offset;
  let from = start + 1;
  for (;;) {
    SPECIAL.lastIndex = from;
    const found = SPECIAL.exec(cursor.text);
    if (found === null) {
      throw new SourceError('SOURCE_SYNTAX', 'This is not JSON: a text in double quotes does not end.', {
        offset: start,
      });
    }
    if (found[0] === '"') return found.index + 1;
    cursor.offset = found.index;
    const escape = match(cursor, ESCAPE);
    if (escape === null) throw syntaxError(cursor, 'inside a text it must be escaped as \\n, \\t, \\" or \\uXXXX');
    from = cursor.offset;
  }
}

function skipSpace(cursor: Cursor): void {
  match(cursor, SPACE);
}

function match(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.offset;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.offset += found.length;
  return found;
}

function syntaxError(cursor: Cursor, expectation: string): SourceError {
  const found = cursor.text[cursor.offset];
  const seen = found === undefined ? 'the text ends' : `${JSON.stringify(found)} was found`;
  return new SourceError('SOURCE_SYNTAX', `This is not JSON: ${seen} here, but ${expectation}.`, cursor);
}
