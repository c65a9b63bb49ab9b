/** Something the palette can do or go to. */
export interface PaletteItem {
  readonly id: string;
  readonly group: 'Go to' | 'Do' | 'Runs' | 'Workflows';
  readonly label: string;
  /** Further words it is found by, shown in a quieter colour. */
  readonly detail: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** Those that have every word; the ones whose label begins with the search come first, each group together. */
export function matching(items: readonly PaletteItem[], query: string, limit = 40): readonly PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter(({ label, detail }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0] ?? '';
  const ranked = found.toSorted((a, b) => rank(a, first) - rank(b, first));
  const groups = Map.groupBy(ranked, ({ group }) => group);
  return [...groups.values()].flat().slice(0, limit);
}

function rank({ label }: PaletteItem, word: string): number {
  const text = label.toLowerCase();
  if (text.startsWith(word)) return 0;
  return text.includes(` ${word}`) ? 1 : 2;
}
