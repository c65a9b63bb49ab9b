import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface Props {
  /** Under which the size is kept in this browser. */
  readonly name: string;
  readonly direction: 'row' | 'column';
  readonly first: ReactNode;
  readonly second: ReactNode;
}

const STARTS: Readonly<Record<string, number>> = { run: 52, picture: 62 };

/** Two parts with a border between them that can be moved: by the pointer, or by arrow keys. */
export function Split({ name, direction, first, second }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => keptShare(name));
  const isRow = direction === 'row';
  const set = (next: number): void => {
    const bounded = Math.min(85, Math.max(15, Math.round(next)));
    setShare(bounded);
    localStorage.setItem(`troupe-split-${name}`, String(bounded));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = place.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(isRow ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(share + step);
  };
  return (
    <div ref={place} className={classNames('flex min-h-0 min-w-0 flex-1', !isRow && 'flex-col')}>
      <div className="flex min-h-0 min-w-0 flex-col" style={{ flex: `0 0 ${share}%` }}>
        {first}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={isRow ? 'Width of the picture' : 'Height of the picture'}
        aria-orientation={isRow ? 'vertical' : 'horizontal'}
        aria-valuenow={share}
        aria-valuemin={15}
        aria-valuemax={85}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className={classNames(
          'relative z-10 shrink-0 touch-none bg-line hover:bg-accent',
          isRow ? 'w-px cursor-col-resize' : 'h-px cursor-row-resize',
          'after:absolute',
          isRow ? 'after:inset-y-0 after:-inset-x-1' : 'after:inset-x-0 after:-inset-y-1',
        )}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{second}</div>
    </div>
  );
}

function keptShare(name: string): number {
  const kept = Number(localStorage.getItem(`troupe-split-${name}`) ?? Number.NaN);
  return Number.isFinite(kept) ? kept : (STARTS[name] ?? 50);
}
