import { Fault } from '../../../core/model/fault.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';

/**
 * A value of JavaScript as JSON and back. Maps, Sets, dates and numbers JSON has no word for are tagged: `{"$map": […]}`.
 * An object of the author's that looks like a tag is wrapped in `{"$object": …}`, so nothing is ever mistaken for one.
 *
 * `revive(freeze(x))` equals x for everything that can be kept; all else (functions, symbols, circles, instances of classes)
 * is a fault that names its place.
 */
export function freeze(value: unknown): Json {
  return frozen(value, { path: 'state', above: [] });
}

export function revive(json: Json): unknown {
  if (Array.isArray(json)) return json.map(revive);
  if (!isJsonObject(json)) return json;
  const [tag] = Object.keys(json);
  const untag = tag !== undefined && isTagged(json) ? UNTAG[tag] : undefined;
  const inner = json[tag ?? ''];
  return untag === undefined || inner === undefined ? revivedObject(json) : untag(inner);
}

interface Place {
  readonly path: string;
  readonly above: readonly object[];
}

function frozen(value: unknown, place: Place): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return frozenNumber(value);
    case 'bigint':
      return { $bigint: String(value) };
    case 'undefined':
      return { $undefined: null };
    case 'object':
      return value === null ? null : frozenContainer(value, place);
    default:
      throw notKept(`a ${typeof value}`, place);
  }
}

function frozenNumber(value: number): Json {
  if (Object.is(value, -0)) return { $number: '-0' };
  return Number.isFinite(value) ? value : { $number: String(value) };
}

const DEEPEST = 500;

function frozenContainer(value: object, { path, above }: Place): Json {
  if (above.includes(value)) throw notKept('part of itself', { path, above });
  if (above.length >= DEEPEST) throw notKept(`nested more than ${DEEPEST} levels deep`, { path, above });
  const into = (step: string): Place => ({ path: `${path}${step}`, above: [...above, value] });
  if (Array.isArray(value)) return Array.from(value, (item, at) => frozen(item, into(`[${at}]`)));
  if (value instanceof Map) {
    return {
      $map: [...value].map(([key, item]) => [
        frozen(key, into('.keys')),
        frozen(item, into(`.get(${typeof key === 'string' ? JSON.stringify(key) : `a ${typeof key}`})`)),
      ]),
    };
  }
  if (value instanceof Set) return { $set: [...value].map((item) => frozen(item, into('.values'))) };
  if (value instanceof Date) return { $date: frozen(value.getTime(), into('')) };
  return frozenObject(value, { path, above });
}

function frozenObject(value: object, { path, above }: Place): Json {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw notKept(`an instance of ${className(value)}`, { path, above });
  const inside = [...above, value];
  const json = Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, frozen(item, { path: `${path}.${key}`, above: inside })]),
  );
  return isTagged(json) ? { $object: json } : json;
}

function className(value: object): string {
  return value.constructor.name === '' ? 'a class' : value.constructor.name;
}

function isTagged(json: object): boolean {
  const keys = Object.keys(json);
  return keys.length === 1 && Object.hasOwn(UNTAG, keys[0] ?? '');
}

const UNTAG: Readonly<Record<string, (inner: Json) => unknown>> = {
  $map: (inner) => new Map(listOf(inner).map((pair) => listOf(pair).map(revive) as [unknown, unknown])),
  $set: (inner) => new Set(listOf(inner).map(revive)),
  $date: (inner) => new Date(Number(revive(inner))),
  $number: Number,
  $bigint: (inner) => BigInt(typeof inner === 'string' ? inner : 0),
  $undefined: () => undefined,
  $object: (inner) => (isJsonObject(inner) ? revivedObject(inner) : revive(inner)),
};

function revivedObject(json: object): unknown {
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, revive(item as Json)]));
}

function listOf(json: Json): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

function notKept(what: string, { path }: Place): Fault {
  return new Fault('STATE_NOT_KEPT', `${path} is ${what}, which cannot be kept in the journal.`, {
    hint: 'Keep plain values, lists, objects, Maps, Sets and dates in the state.',
    facts: { path },
  });
}
