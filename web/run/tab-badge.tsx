import type { ReactNode } from 'react';
import type { Tab } from '../model/selection.ts';
import { useTree } from '../model/use-run.ts';
import { Badge } from '../ui/badge.tsx';
import { failureCount } from './run-words.ts';

/** How many failures there were on the way: nobody should have to look for them. */
export function TabBadge({ tab }: { readonly tab: Tab }): ReactNode {
  const failures = useTree((tree) => (tab === 'problems' ? failureCount(tree) : 0));
  return failures === 0 ? null : <Badge tone="bad">{failures}</Badge>;
}
