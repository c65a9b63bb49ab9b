import { ChevronDown, ChevronRight } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { TimelineBar } from './timeline-bar.tsx';
import type { TimelineRow } from './timeline-rows.ts';
import { visibleBars, type DrawnBar, type Scale } from './visible-bars.ts';

interface Props {
  readonly row: Extract<TimelineRow, { readonly kind: 'run' }>;
  readonly scale: Scale;
  readonly now: number;
  readonly labelWidth: number;
  readonly isChosen: (bar: Bar) => boolean;
  readonly onChoose: (drawn: DrawnBar) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onToggle: () => void;
}

/** The head of a run below: the whole of it, and its agents when it is unfolded. */
export function TimelineRun({
  row,
  scale,
  now,
  labelWidth,
  isChosen,
  onChoose,
  onToggle,
  onKeyDown,
}: Props): ReactNode {
  const { title, isOpen, level, whole } = row;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div
        className="flex h-[25px] shrink-0 items-center border-r border-line pr-2"
        style={{ width: labelWidth, paddingLeft: 6 + level * 14 }}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          title={visibleText(whole.about)}
          className="flex min-w-0 items-center gap-1 rounded-sm text-sm text-muted hover:text-text"
          onClick={onToggle}
        >
          <Icon size={13} aria-hidden className="shrink-0" />
          <span className="truncate font-medium">{visibleText(title)}</span>
        </button>
      </div>
      <div className="relative min-w-0 flex-1 overflow-hidden">
        {visibleBars([{ bar: whole, line: 0 }], scale, now).map((drawn) => (
          <TimelineBar
            key={whole.key}
            drawn={drawn}
            scale={scale}
            now={now}
            colour="var(--line-strong)"
            isSelected={isChosen(whole)}
            isReached={false}
            onChoose={onChoose}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
    </>
  );
}
