import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import type { TimelineRange } from './use-timeline-range.ts';

/** Beside its title; where that is too narrow, in the corner. */
export function TimelineTools({ shown }: { readonly shown: TimelineRange }): ReactNode {
  return (
    <div className="absolute z-20 flex max-md:right-2 max-md:bottom-2 max-md:rounded-md max-md:border max-md:border-line max-md:bg-surface max-md:shadow-raised md:top-0 md:left-[76px]">
      <IconButton label="Less time, in more detail" className={SMALL} onClick={() => shown.zoom(0.6)}>
        <ZoomIn size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="More time"
        className={SMALL}
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={() => shown.zoom(1 / 0.6)}
      >
        <ZoomOut size={14} aria-hidden />
      </IconButton>
      <IconButton
        label="All of the time"
        className={SMALL}
        disabledReason={shown.isAll ? 'all of it is shown' : null}
        onClick={shown.all}
      >
        <Maximize size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

const SMALL = 'md:h-6 md:w-6';
