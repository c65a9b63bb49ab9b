import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import type { TimelineRange } from './use-timeline-range.ts';

export function TimelineTools({ shown }: { readonly shown: TimelineRange }): ReactNode {
  return (
    <div className="absolute right-2 bottom-2 z-20 flex rounded-md border border-line bg-surface shadow-raised">
      <IconButton label="Less time, in more detail" onClick={() => shown.zoom(0.6)}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
      <IconButton
        label="More time"
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={() => shown.zoom(1 / 0.6)}
      >
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <IconButton
        label="All of the time"
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={shown.all}
      >
        <Maximize size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
