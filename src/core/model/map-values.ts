export function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
