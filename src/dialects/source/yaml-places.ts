import { EVENT_ID, getScalarValue, type Event, type ScalarEvent } from 'js-yaml';
import type { MemberPlace, SourcePlace } from './place.ts';

/** One place a document, from the parser's events. An alias stands where its anchor does. */
export function placesOf(text: string, events: readonly Event[]): readonly SourcePlace[] {
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

/** An empty value has no start of its own in the text. */
function scalarStart(text: string, event: ScalarEvent): number {
  const start = Math.max(event.valueStart, 0);
  const before = text[start - 1];
  return before === '"' || before === "'" ? start - 1 : start;
}
