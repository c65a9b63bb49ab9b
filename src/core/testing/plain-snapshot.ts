import { toArray, type AppendList } from '../model/append-list.ts';
import type { Snapshot } from '../fold/snapshot.ts';

/** A snapshot as plain data: lists that share their storage become what their owner sees of them. */
export function plainSnapshot(snapshot: Snapshot): unknown {
  return plain(snapshot);
}

/** Whether two values have the same plain data. Parts that both share are not read, so this is cheap where little differs. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [list, otherList] = [listIn(one), listIn(other)];
  if (list !== null || otherList !== null) return isSameList(list, otherList);
  if (prototypeOf(one) !== prototypeOf(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameData(part(one, key), part(other, key)));
}

/** A dictionary without a prototype holds the same data as an ordinary object, which is what a stored one is read as. */
const prototypeOf = (value: object): unknown => Object.getPrototypeOf(value) ?? Object.prototype;

const part = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];

function isSameList(list: AppendList<unknown> | null, other: AppendList<unknown> | null): boolean {
  if (list === null || other === null || list.length !== other.length) return false;
  if (list.items === other.items) return true;
  for (let at = 0; at < list.length; at += 1) if (!isSameData(list.items[at], other.items[at])) return false;
  return true;
}

function listIn(value: object): AppendList<unknown> | null {
  if (Array.isArray(value)) return { items: value, length: value.length };
  return isAppendList(value) ? value : null;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (isAppendList(value)) return toArray(value).map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isAppendList(value: object): value is AppendList<unknown> {
  return 'items' in value && Array.isArray(value.items) && 'length' in value && typeof value.length === 'number';
}
