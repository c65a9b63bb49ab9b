import { toArray, type AppendList } from '../append-list.ts';
import type { Snapshot } from '../snapshot.ts';

/** A snapshot as plain data: lists that share their storage become what their owner sees of them. */
export function plainSnapshot(snapshot: Snapshot): unknown {
  return plain(snapshot);
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
