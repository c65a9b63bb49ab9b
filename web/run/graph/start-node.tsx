import type { ReactNode } from 'react';

/** Where a run begins. */
export function StartNode(): ReactNode {
  return <div className="graph-start" aria-hidden />;
}
