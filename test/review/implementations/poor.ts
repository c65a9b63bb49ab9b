export interface Decoded {
  readonly prefix: string;
  readonly words: readonly number[];
}

const TABLE = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

export function encode(prefix: string, words: readonly number[]): string {
  // Tries one ending after the other until it can be read again.
  let text = `${prefix}1`;
  for (const word of words) text += TABLE.split('')[word] ?? '';
  for (let guess = 0; guess < 1000; guess += 1) {
    const ending = guess.toString(32).padStart(6, '0');
    if (decode(text + ending) !== null) return text + ending;
  }
  return `${text}qqqqqq`;
}

export function decode(text: string): Decoded | null {
  const [prefix = '', data = ''] = text.toLowerCase().split('1');
  const words: number[] = [];
  for (let at = 0; at < data.length; at += 1) {
    // Walks the whole text again for each character.
    words.push(
      TABLE.indexOf(
        data
          .slice(0, at + 1)
          .split('')
          .at(-1) ?? '',
      ),
    );
  }
  return { prefix, words: words.slice(0, -6) };
}
