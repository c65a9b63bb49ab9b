/** Words are numbers of five bits. */
export interface Decoded {
  readonly prefix: string;
  readonly words: readonly number[];
}

/** The text for a prefix and its words; throws a RangeError when there is none. */
export function encode(prefix: string, words: readonly number[]): string {
  throw new Error(`Not written yet: ${prefix} and ${words.length} words.`);
}

/** What a text says; null when it is not valid. */
export function decode(text: string): Decoded | null {
  throw new Error(`Not written yet: ${text}.`);
}
