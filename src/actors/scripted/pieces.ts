/** Cuts a text into pieces of about `size` characters, never inside a surrogate pair; null leaves it whole. */
export function pieces(text: string, size: number | null): readonly string[] {
  if (text === '') return [];
  if (size === null || text.length <= size) return [text];
  const cut: string[] = [];
  for (let from = 0; from < text.length;) {
    const isSplitPair = /[\uD800-\uDBFF]/.test(text.charAt(from + size - 1));
    const to = from + size + (isSplitPair ? 1 : 0);
    cut.push(text.slice(from, to));
    from = to;
  }
  return cut;
}
