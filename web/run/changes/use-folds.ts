import { useMemo, useState } from 'react';
import type { DiffFile } from './diff-files.ts';

interface Folds {
  readonly folded: ReadonlySet<string>;
  readonly fold: (path: string, isFolded: boolean) => void;
}

/** What was read is folded, and what is large until it is wanted. */
export function useFolds(files: readonly DiffFile[], marks: ReadonlySet<string>): Folds {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const folded = useMemo(
    () =>
      new Set(
        files
          .filter(({ path, key, isLarge }) => chosen.get(path) ?? (isLarge || marks.has(key)))
          .map(({ path }) => path),
      ),
    [files, chosen, marks],
  );
  const fold = (path: string, isFolded: boolean): void => setChosen((before) => new Map(before).set(path, isFolded));
  return { folded, fold };
}
