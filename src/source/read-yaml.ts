import {
  constructFromEvents,
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import type { Json } from '../core/model/json.ts';
import type { MemberPlace, SourcePlace } from './place.ts';
import { FORBIDDEN_KEYS, MAX_ALIASES, MAX_DEPTH, MAX_NODES, SourceError } from './source-error.ts';

/**
 * A copy of a loaded value as a tree. Aliases let a small text expand to a huge or endless value, so the size is counted as
 * if it were written out, and a value inside itself is refused.
 */
function plainJson(value: unknown, place: SourcePlace): Json {
  return copy(value, place, { nodes: 0, ancestors: new Set() });
}

interface Walk {
  nodes: number;
  readonly ancestors: Set<object>;
}

function copy(value: unknown, place: SourcePlace, walk: Walk): Json {
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) {
    throw new SourceError(
      'SOURCE_TOO_MANY_NODES',
      `The file expands to more than ${MAX_NODES} values, each alias counted as often as it is used.`,
      { offset: place.start },
    );
  }
  if (typeof value !== 'object' || value === null) return scalar(value, place);
  if (walk.ancestors.has(value)) {
    throw new SourceError('SOURCE_CYCLE', 'A value contains itself through an alias.', { offset: place.start });
  }
  if (walk.ancestors.size >= MAX_DEPTH) {
    throw new SourceError('SOURCE_TOO_DEEP', `The file nests deeper than ${MAX_DEPTH} levels.`, {
      offset: place.start,
    });
  }
  walk.ancestors.add(value);
  const result = Array.isArray(value)
    ? value.map((item: unknown, index) => copy(item, place.items?.[index] ?? place, walk))
    : copyRecord(value, place, walk);
  walk.ancestors.delete(value);
  return result;
}

function copyRecord(value: object, place: SourcePlace, walk: Walk): Json {
  const result: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    const found = place.members?.get(key);
    if (FORBIDDEN_KEYS.has(key)) {
      throw new SourceError('SOURCE_FORBIDDEN_KEY', `The key "${key}" is not allowed.`, {
        offset: found?.keyStart ?? place.start,
      });
    }
    result[key] = copy(member, found?.value ?? place, walk);
  }
  return result;
}

function scalar(value: unknown, place: SourcePlace): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string' && value.isWellFormed()) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new SourceError('SOURCE_VALUE', 'This value has no place in JSON.', {
    offset: place.start,
    hint: 'Use text, a number, true, false, null, a list or a mapping; put quotes around anything else.',
  });
}

/** One place a document, from the parser's events. An alias stands where its anchor does. */
function placesOf(text: string, events: readonly Event[]): readonly SourcePlace[] {
  const reader: Reader = { text, events, next: 0, anchors: new Map() };
  const documents: SourcePlace[] = [];
  while (reader.next < events.length) {
    const event = events[reader.next];
    reader.next += 1;
    if (event?.type === EVENT_ID.DOCUMENT) {
      reader.anchors.clear();
      documents.push(readPlace(reader));
    }
  }
  return documents;
}

interface Reader {
  readonly text: string;
  readonly events: readonly Event[];
  next: number;
  readonly anchors: Map<string, SourcePlace>;
}

const NO_PLACE: SourcePlace = { start: 0 };

function readPlace(reader: Reader): SourcePlace {
  const event = reader.events[reader.next];
  reader.next += 1;
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return anchored(reader, event, { start: scalarStart(reader.text, event) });
    case EVENT_ID.SEQUENCE: {
      const items: SourcePlace[] = [];
      const place = anchored(reader, event, { start: event.start, items });
      while (!atEnd(reader)) items.push(readPlace(reader));
      return place;
    }
    case EVENT_ID.MAPPING: {
      const members = new Map<string, MemberPlace>();
      const place = anchored(reader, event, { start: event.start, members });
      while (!atEnd(reader)) readMember(reader, members);
      return place;
    }
    case EVENT_ID.ALIAS:
      return reader.anchors.get(reader.text.slice(event.anchorStart, event.anchorEnd)) ?? { start: event.anchorStart };
    default:
      return NO_PLACE;
  }
}

function readMember(reader: Reader, members: Map<string, MemberPlace>): void {
  const event = reader.events[reader.next];
  const key = event?.type === EVENT_ID.SCALAR ? getScalarValue(reader.text, event) : null;
  const keyPlace = readPlace(reader);
  const value = readPlace(reader);
  if (key !== null) members.set(key, { keyStart: keyPlace.start, value });
}

/** Steps over the event that closes a collection. */
function atEnd(reader: Reader): boolean {
  const event = reader.events[reader.next];
  if (event !== undefined && event.type !== EVENT_ID.POP) return false;
  reader.next += 1;
  return true;
}

function anchored(
  reader: Reader,
  event: { readonly anchorStart: number; readonly anchorEnd: number },
  place: SourcePlace,
): SourcePlace {
  if (event.anchorStart >= 0) reader.anchors.set(reader.text.slice(event.anchorStart, event.anchorEnd), place);
  return place;
}

/** An empty value has no start in the text. */
function scalarStart(text: string, event: ScalarEvent): number {
  const start = Math.max(event.valueStart, 0);
  const before = text[start - 1];
  return before === '"' || before === "'" ? start - 1 : start;
}

/** YAML 1.2 with places. The value and the places come from one list of events, so they cannot disagree. */
export function readYaml(text: string): { readonly document: Json; readonly place: SourcePlace } {
  const { events, documents } = parse(text);
  const places = placesOf(text, events);
  const place = places[0];
  if (documents.length === 0 || place === undefined) {
    throw new SourceError('SOURCE_EMPTY', 'The file is empty.', { offset: 0 });
  }
  if (documents.length > 1) {
    throw new SourceError('SOURCE_DOCUMENTS', `The file holds ${documents.length} YAML documents; one is expected.`, {
      offset: places[1]?.start ?? 0,
      hint: 'Put each into its own file, or make one list of them.',
    });
  }
  return { document: plainJson(documents[0], place), place };
}

function parse(text: string): { readonly events: Event[]; readonly documents: readonly unknown[] } {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    return { events, documents: constructFromEvents(events, { source: text, maxAliases: MAX_ALIASES }) };
  } catch (error) {
    throw toSourceError(error);
  }
}

function toSourceError(error: unknown): SourceError {
  if (!(error instanceof YAMLException)) {
    return new SourceError('SOURCE_SYNTAX', `This YAML cannot be read: ${String(error)}`, { offset: 0 });
  }
  const offset = error.mark?.position ?? 0;
  const { reason } = error;
  if (reason.includes('maxDepth')) {
    return new SourceError('SOURCE_TOO_DEEP', `The file nests deeper than ${MAX_DEPTH} levels.`, { offset });
  }
  if (reason.includes('maxAliases')) {
    return new SourceError('SOURCE_ALIASES', `The file uses more than ${MAX_ALIASES} aliases.`, { offset });
  }
  if (reason.includes('duplicated mapping key')) {
    return new SourceError('SOURCE_DUPLICATE_KEY', 'This key is given twice.', { offset });
  }
  return new SourceError('SOURCE_SYNTAX', `This is not YAML: ${reason}.`, { offset });
}
