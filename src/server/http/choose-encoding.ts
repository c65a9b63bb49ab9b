/** How an answer may be compressed, the smallest first. */
export type Encoding = 'br' | 'gzip';

/** The first of these that the client takes: browsers take brotli over TLS alone, and `q=0` refuses. */
export function chooseEncoding(header: string | undefined, offered: readonly Encoding[]): Encoding | null {
  const accepted = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', weight = ''] = part.split(';').map((word) => word.trim().toLowerCase());
      return [name, !/^q=0(\.0*)?$/.test(weight)] as const;
    }),
  );
  return offered.find((name) => accepted.get(name) ?? accepted.get('*') ?? false) ?? null;
}
