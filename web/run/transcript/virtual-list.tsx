import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

interface Props {
  readonly label: string;
  readonly keys: readonly string[];
  readonly render: (index: number) => ReactNode;
  readonly estimate: number;
  /** Which one is chosen; -1 for none. It is shown whenever it becomes another one. */
  readonly chosen: number;
  /** Changes with whatever is chosen, also where it stays at its place. */
  readonly choice: string;
  /** More will come: begin at the end, and stay there while nobody scrolls away. */
  readonly isLive: boolean;
  readonly rowClass?: string;
}

/** A list of any length of which only what is seen is on the page. It moves by itself only while its end is in sight. */
export function VirtualList({ label, keys, render, estimate, chosen, choice, isLive, rowClass }: Props): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const list = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: isLive,
    scrollEndThreshold: 48,
    onChange: (instance) => setAtEnd(instance.isAtEnd(64)),
  });
  const begins = useRef(true);
  const toEnd = (): void => list.scrollToEnd();
  useEffect(() => {
    if (keys.length === 0) return;
    if (chosen >= 0) list.scrollToIndex(chosen, { align: 'start' });
    else if (begins.current && isLive) list.scrollToEnd();
    begins.current = false;
    // Only another choice moves it; rows that come do not.
  }, [choice, chosen >= 0, keys.length > 0]);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label={label}>
        <ol className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ key, index, start }) => (
            <li
              key={key}
              ref={list.measureElement}
              data-index={index}
              aria-current={index === chosen || undefined}
              className={classNames('absolute inset-x-0 top-0', rowClass, index === chosen && 'bg-accent-soft')}
              style={{ transform: `translateY(${start}px)` }}
            >
              {render(index)}
            </li>
          ))}
        </ol>
      </div>
      {!isAtEnd && keys.length > 0 && (
        <button
          type="button"
          onClick={toEnd}
          className="absolute right-4 bottom-3 flex h-7 items-center gap-1 rounded-full border border-line bg-raised px-2.5 text-sm shadow-float hover:bg-hover"
        >
          <ArrowDown size={13} aria-hidden /> Newest
        </button>
      )}
    </div>
  );
}
