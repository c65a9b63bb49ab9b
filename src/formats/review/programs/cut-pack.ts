import type { FileDiff } from '../../../host/perform/files/file-diffs.ts';

/** Something of a pack that its readers do not see, and have to look up where they need it. */
export interface PackCut {
  readonly implementation: string;
  readonly path: string;
  readonly shownChars: number;
  readonly ofChars: number;
}

/** How much a reviewer is shown at once: all implementations together, and of one file. */
export const MOST_CHARS = 120_000;
const FILE_CHARS = 16_000;

export interface CutDiff {
  /** By path, what is shown of it; nothing of those that are only named. */
  readonly shown: ReadonlyMap<string, string>;
  readonly cut: readonly PackCut[];
}

/**
 * Cuts long diffs, always in the same way: each file to its first lines, then the largest files of an implementation until the rest
 * fits. Every implementation has the same room, so that none is shown less because others are longer.
 */
export function cutDiffs(id: string, files: readonly FileDiff[], room: number): CutDiff {
  const shown = new Map(files.map(({ path, text }) => [path, firstLines(text, FILE_CHARS)]));
  let total = [...shown.values()].reduce((sum, text) => sum + text.length, 0);
  const largestFirst = [...shown].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [path, text] of largestFirst) {
    if (total <= room) break;
    total -= text.length;
    const rest = firstLines(text, Math.max(0, room - total));
    shown.set(path, rest);
    total += rest.length;
  }
  const cut = files.flatMap(({ path, text }): readonly PackCut[] => {
    const shownChars = shown.get(path)?.length ?? 0;
    return shownChars === text.length ? [] : [{ implementation: id, path, shownChars, ofChars: text.length }];
  });
  return { shown, cut };
}

/** Whole lines, and nothing rather than a header without lines. */
function firstLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const lines = text.slice(0, text.lastIndexOf('\n', most) + 1);
  return /^@@ .*\n./m.test(lines) ? lines : '';
}
