/** The two runs, as the address names them. */
export interface Compared {
  readonly a?: string;
  readonly b?: string;
}

export function parseCompared(search: Readonly<Record<string, unknown>>): Compared {
  return { ...named('a', search['a']), ...named('b', search['b']) };
}

/** An id of digits alone comes as a number. */
const named = (key: 'a' | 'b', value: unknown): Compared => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? { [key]: text } : {};
};
