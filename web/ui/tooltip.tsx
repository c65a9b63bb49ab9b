import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface Props {
  /** Nothing is shown for an empty one. */
  readonly text: ReactNode;
  /** One element that can have the focus. */
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

export function Tooltip({ text, children, side = 'bottom' }: Props): ReactNode {
  if (text === '' || text === null || text === undefined) return children;
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={350} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="max-w-80 rounded-md border border-line bg-raised px-2 py-1 text-sm text-text shadow-float">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
