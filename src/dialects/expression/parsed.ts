/** What a parser of one expression or script gives back; `offset` counts characters from the start of that source. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly offset: number };
