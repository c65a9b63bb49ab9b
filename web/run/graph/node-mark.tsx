import { Check, CircleDashed, CircleHelp, Pause, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NodeLook } from '../../model/node-look.ts';

const ICONS: Readonly<Partial<Record<NodeLook['status'], { readonly icon: typeof Check; readonly tone: string }>>> = {
  asks: { icon: CircleHelp, tone: 'text-warn' },
  still: { icon: Pause, tone: 'text-warn' },
  ok: { icon: Check, tone: 'text-ok' },
  partial: { icon: TriangleAlert, tone: 'text-warn' },
  bad: { icon: X, tone: 'text-bad' },
  left: { icon: CircleDashed, tone: 'text-muted' },
  queued: { icon: CircleDashed, tone: 'text-muted' },
};

/** How it stands, as a shape; and how often it was entered, where that was more than once. */
export function NodeMark({ look: { status, visits } }: { readonly look: NodeLook }): ReactNode {
  const mark = ICONS[status];
  if (status === 'unvisited') return null;
  return (
    <span className="graph-mark" data-status={status} aria-hidden>
      {visits > 1 && <span className="num">×{visits}</span>}
      {status === 'active' && <span className="graph-dot" />}
      {mark !== undefined && <mark.icon size={11} strokeWidth={2.5} className={mark.tone} />}
    </span>
  );
}
