import type { Json } from '../../core/json.ts';
import type { SourcePlace } from './place.ts';
import { SourceError } from './source-error.ts';
import { FORBIDDEN_KEYS, MAX_DEPTH, MAX_NODES } from './source-limits.ts';

/**
 * A tree copy of a loaded value. Aliases let a small text stand for a huge or endless value, so what is walked is counted
 * as if it were written out, and a value inside itself is refused.
 */
export function plainJson(value: unknown, place: SourcePlace): Json {
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
      `The file stands for more than ${MAX_NODES} values, each alias counted as often as it is used.`,
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
