import { useEffect, useRef, type RefObject } from 'react';
import type { TimelineRange } from './use-timeline-range.ts';

interface Place {
  readonly labelWidth: number;
  readonly width: number;
}

/**
 * The wheel over the axis, or with Ctrl anywhere, makes the time wider or narrower around the pointer; sideways it moves through
 * it. Else it scrolls the lanes.
 */
export function useWheel(element: RefObject<HTMLElement | null>, shown: TimelineRange, place: Place): void {
  const latest = useRef({ shown, place });
  useEffect(() => {
    latest.current = { shown, place };
  });
  useEffect(() => {
    const node = element.current;
    const turned = (event: WheelEvent): void => {
      const { shown: now, place: at } = latest.current;
      const span = now.range.to - now.range.from;
      const isOnAxis = event.target instanceof Element && event.target.closest('[data-axis]') !== null;
      if (event.ctrlKey || event.metaKey || isOnAxis) {
        event.preventDefault();
        const x = event.clientX - (node?.getBoundingClientRect().left ?? 0) - at.labelWidth;
        now.zoom(Math.exp(event.deltaY * 0.0022), now.range.from + (x / at.width) * span);
        return;
      }
      const sideways = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
      if (sideways === 0 || now.isAll) return;
      event.preventDefault();
      now.pan((sideways / at.width) * span);
    };
    // A browser takes a wheel for scrolling unless it is told beforehand that it may not be.
    node?.addEventListener('wheel', turned, { passive: false });
    return () => node?.removeEventListener('wheel', turned);
  }, [element]);
}
