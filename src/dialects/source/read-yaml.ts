import { constructFromEvents, parseEvents, YAMLException, type Event } from 'js-yaml';
import type { Json } from '../../core/json.ts';
import { plainJson } from './plain-json.ts';
import type { SourcePlace } from './place.ts';
import { SourceError } from './source-error.ts';
import { MAX_ALIASES, MAX_DEPTH } from './source-limits.ts';
import { placesOf } from './yaml-places.ts';

/** YAML 1.2 with places. The value and the places come from one list of events, so they cannot disagree. */
export function readYaml(text: string): { readonly document: Json; readonly place: SourcePlace } {
  const { events, documents } = parse(text);
  const places = placesOf(text, events);
  const place = places[0];
  if (documents.length === 0 || place === undefined) {
    throw new SourceError('SOURCE_EMPTY', 'There is nothing in the file.', { offset: 0 });
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
