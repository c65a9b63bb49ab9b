/** Sixteen hexadecimal digits out of a text, the same on every machine: two FNV-1a hashes with different seeds. */
export function stableId(text: string): string {
  return hash(text, 0x811c9dc5) + hash(text, 0x01234567);
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}
