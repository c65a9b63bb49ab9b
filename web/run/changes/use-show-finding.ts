import { useCallback } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import type { RunFinding } from './findings-of.ts';

/** Leads from a line to where it was debated. */
export function useShowFinding(): (shown: RunFinding) => void {
  const root = useTree((tree) => tree.root);
  const [, select] = useSelection();
  return useCallback(
    ({ run, finding }) => select({ tab: 'debate', run: run === root ? undefined : run, finding: finding.id }),
    [root, select],
  );
}
