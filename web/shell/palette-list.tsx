import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { visibleText } from '../ui/visible-text.ts';
import type { PaletteItem } from './palette-items.ts';

interface Props {
  readonly items: readonly PaletteItem[];
  readonly at: number;
  readonly onChoose: (place: number) => void;
}

export function PaletteList({ items, at, onChoose }: Props): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: it returns a promise in new browsers, which is no clean-up.
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  if (items.length === 0) return <p className="p-4 text-muted">Nothing here is called that.</p>;
  return (
    <div ref={list} id="palette-list" role="listbox" aria-label="Found" className="min-h-0 overflow-y-auto p-1">
      {items.map((item, place) => (
        <div key={item.id} role="presentation">
          {items[place - 1]?.group !== item.group && (
            <div role="presentation" className="px-2 pt-2 pb-0.5 text-xs font-medium text-muted">
              {item.group}
            </div>
          )}
          <Line item={item} place={place} isChosen={place === at} onChoose={onChoose} />
        </div>
      ))}
    </div>
  );
}

interface LineProps {
  readonly item: PaletteItem;
  readonly place: number;
  readonly isChosen: boolean;
  readonly onChoose: (place: number) => void;
}

function Line({ item, place, isChosen, onChoose }: LineProps): ReactNode {
  return (
    <div
      id={`palette-${place}`}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={() => onChoose(place)}
      onKeyDown={() => undefined}
      className={classNames('flex items-center gap-2 rounded-md px-2 py-1.5', isChosen ? 'bg-hover' : 'hover:bg-hover')}
    >
      <span className="min-w-0 shrink-0 truncate font-medium">{visibleText(item.label)}</span>
      <span className="min-w-0 flex-1 truncate text-sm text-muted">{visibleText(item.detail)}</span>
      {item.keys !== undefined && <Kbd keys={item.keys} />}
    </div>
  );
}
