import { useCallback, useMemo } from 'react';
import { openIn, openText, useSelection } from '../../model/selection.ts';

/** What of a picture is unfolded: the graph and the outline show the same. It stands in the address. Null: nobody has chosen anything yet. */
export function useOpenParts(): readonly [readonly string[] | null, (open: readonly string[]) => void] {
  const [{ open }, select] = useSelection();
  const chosen = useMemo(() => openIn(open), [open]);
  return [chosen, useCallback((next) => select({ open: openText(next) }), [select])];
}
