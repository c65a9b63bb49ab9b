import { PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { hub, useLink } from '../api/hub.ts';

/** What is shown may be old while the server cannot be heard. */
export function LostBanner(): ReactNode {
  const { kind } = useLink();
  if (kind !== 'lost') return null;
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-1 text-warn">
      <PlugZap size={14} aria-hidden />
      <span className="flex-1">
        Connection lost, trying again. What you see may be old; runs go on without this page.
      </span>
      <button type="button" className="underline" onClick={() => hub().hurry()}>
        Try now
      </button>
    </div>
  );
}
