import type { ReactNode } from 'react';
import type { Tab } from '../model/selection.ts';
import { problemCount } from '../model/run-history.ts';
import { useTree } from '../model/use-run.ts';
import { Badge } from '../ui/badge.tsx';

/** How many problems stand: nobody should have to look for them. */
export function TabBadge({ tab }: { readonly tab: Tab }): ReactNode {
  const failures = useTree((tree) => (tab === 'problems' ? problemCount(tree) : 0));
  return failures === 0 ? null : <Badge tone="bad">{failures}</Badge>;
}
