import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/controls.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';
import { useTree } from '../../model/use-run.ts';

interface Choice {
  readonly list: Pick<Virtualizer<HTMLDivElement, HTMLLIElement>, 'scrollToIndex' | 'scrollToEnd'>;
  /** None until all there was has been read: what is chosen may be in what comes. */
  readonly count: number;
  readonly chosen: number;
  readonly choice: string;
  readonly isLive: boolean;
}

/** Shows what is chosen whenever that is something else; rows that come move nothing. What is live begins at its end. */
function useChoice({ list, count, chosen, choice, isLive }: Choice): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (count === 0) return;
    const isFirst = shown.current === null;
    const now = `${choice} ${chosen >= 0}`;
    if (shown.current === now) return;
    shown.current = now;
    if (chosen >= 0) list.scrollToIndex(chosen, { align: 'start' });
    else if (isFirst && isLive) list.scrollToEnd();
  }, [list, count, chosen, choice, isLive]);
}

interface Props {
  readonly label: string;
  readonly keys: readonly string[];
  readonly render: (index: number) => ReactNode;
  readonly estimate: number;
  /** Which one is chosen; -1 for none. It is shown whenever it becomes another one. */
  readonly chosen: number;
  /** Changes with whatever is chosen, also where it stays at its place. */
  readonly choice: string;
  /** More will come: begin at the end, and stay there until the user scrolls away. */
  readonly isLive: boolean;
  readonly rowClass?: string;
}

/** A list of any length of which only what is seen is on the page. It moves by itself only while its end is in sight. */
export function VirtualList({ label, keys, render, estimate, chosen, choice, isLive, rowClass }: Props): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const isLoaded = useTree((tree) => tree.isLoaded);
  // A jump to the newest entry while a long history is read means the newest of all.
  const [wantsEnd, setWantsEnd] = useState(false);
  const list = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 8,
    anchorTo: isLive || wantsEnd ? 'end' : 'start',
    followOnAppend: wantsEnd || (isLive && isLoaded),
    scrollEndThreshold: 48,
    onChange: (instance) => setAtEnd(instance.isAtEnd(64)),
  });
  const toEnd = (): void => {
    setWantsEnd(true);
    list.scrollToEnd();
  };
  useChoice({ list, count: isLoaded ? keys.length : 0, chosen, choice, isLive });
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ScrollBox ref={scroller} label={label} className="min-h-0 flex-1 overflow-y-auto">
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
      </ScrollBox>
      {!isAtEnd && keys.length > 0 && <ToNewest onClick={toEnd} />}
    </div>
  );
}

function ToNewest({ onClick }: { readonly onClick: () => void }): ReactNode {
  return (
    <button
      type="button"
      onClick={onClick}
      className="absolute right-4 bottom-3 flex h-7 items-center gap-1 rounded-full border border-line bg-raised px-2.5 text-sm shadow-float hover:bg-hover"
    >
      <ArrowDown size={13} aria-hidden /> Newest
    </button>
  );
}
