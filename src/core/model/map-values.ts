export function mapValues<T, To = T>(
  record: Readonly<Record<string, T>>,
  change: (value: T, key: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
