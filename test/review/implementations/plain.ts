export interface Decoded {
  readonly prefix: string;
  readonly words: readonly number[];
}

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

function checksum(prefix: string, words: readonly number[]): number {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  const input = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...words];
  let sum = 1;
  for (const value of input) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    if (top & 1) sum ^= 0x3b6a57b2;
    if (top & 2) sum ^= 0x26508e6d;
    if (top & 4) sum ^= 0x1ea119fa;
    if (top & 8) sum ^= 0x3d4233dd;
    if (top & 16) sum ^= 0x2a1462b3;
  }
  return sum;
}

export function encode(prefix: string, words: readonly number[]): string {
  const text = `${prefix}1`;
  const sum = checksum(prefix, [...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const last = [25, 20, 15, 10, 5, 0].map((bits) => (sum >> bits) & 31);
  const body = [...words, ...last].map((word) => LETTERS[word]).join('');
  if (body.length < words.length + 6 || text.length + body.length > 90) throw new RangeError('It cannot be written.');
  return text + body;
}

export function decode(text: string): Decoded | null {
  const small = text.toLowerCase();
  if (text !== small && text !== text.toUpperCase()) return null;
  const at = small.lastIndexOf('1');
  const prefix = small.slice(0, at);
  if (at < 1 || small.length > 90 || small.length < at + 7) return null;
  if (prefix.split('').some((letter) => letter < '!' || letter > '~')) return null;
  const words = Array.from(small.slice(at + 1), (letter) => LETTERS.indexOf(letter));
  if (words.some((word) => word < 0) || checksum(prefix, words) !== 1) return null;
  return { prefix, words: words.slice(0, -6) };
}
