/** Bech32 as in BIP 173: a prefix, a separator, words of five bits, and a checksum of six of them. */

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM = 6;
const LONGEST = 90;

/** Words are numbers of five bits. */
export interface Decoded {
  readonly prefix: string;
  readonly words: readonly number[];
}

/** The text for a prefix and its words; throws a RangeError when there is none. */
export function encode(prefix: string, words: readonly number[]): string {
  if (!isPrefix(prefix) || prefix !== prefix.toLowerCase()) throw new RangeError(`"${prefix}" cannot be a prefix.`);
  if (!words.every((word) => Number.isInteger(word) && word >= 0 && word < 32)) {
    throw new RangeError('Words are whole numbers from 0 to 31.');
  }
  const sum = remainder([...spread(prefix), ...words, ...Array.from({ length: CHECKSUM }, () => 0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM }, (_, index) => (sum >>> (5 * (CHECKSUM - 1 - index))) & 31);
  const text = `${prefix}1${[...words, ...checksum].map((word) => ALPHABET[word]).join('')}`;
  if (text.length > LONGEST) throw new RangeError(`It would have ${text.length} characters; ${LONGEST} are allowed.`);
  return text;
}

/** What a text says; null when it is not valid. */
export function decode(text: string): Decoded | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  const separator = lower.lastIndexOf('1');
  const prefix = lower.slice(0, separator);
  if (separator < 1 || lower.length > LONGEST || !isPrefix(prefix)) return null;
  const words = Array.from(lower.slice(separator + 1), (character) => ALPHABET.indexOf(character));
  if (words.length < CHECKSUM || words.includes(-1)) return null;
  if (remainder([...spread(prefix), ...words]) !== 1) return null;
  return { prefix, words: words.slice(0, -CHECKSUM) };
}

const isPrefix = (text: string): boolean => text.length > 0 && text.length <= 83 && /^[\u0021-\u007e]*$/.test(text);

/** The prefix as the checksum sees it: the high bits of all, a zero, the low bits of all. */
function spread(prefix: string): readonly number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

function remainder(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >>> bit) & 1) sum ^= generator;
  }
  return sum >>> 0;
}
