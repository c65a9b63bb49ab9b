/**
 * A list that only grows, shared by all snapshots of a run: appending is O(1) and old snapshots keep seeing their own length.
 * The newest owner pushes in place; appending to an older one copies first, so no owner ever sees a foreign item.
 */
export interface AppendList<T> {
  readonly items: readonly T[];
  readonly length: number;
}

export function emptyList<T>(): AppendList<T> {
  return { items: [], length: 0 };
}

export function listOf<T>(items: readonly T[]): AppendList<T> {
  return { items: [...items], length: items.length };
}

export function append<T>(list: AppendList<T>, item: T): AppendList<T> {
  const items = (list.items.length === list.length ? list.items : list.items.slice(0, list.length)) as T[];
  items.push(item);
  return { items, length: items.length };
}

/** The items as this owner sees them. Copies only when a newer owner has pushed since. */
export function toArray<T>(list: AppendList<T>): readonly T[] {
  return list.items.length === list.length ? list.items : list.items.slice(0, list.length);
}
