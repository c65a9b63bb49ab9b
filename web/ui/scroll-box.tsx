import type { ReactNode, Ref, UIEventHandler } from 'react';

interface Props {
  /** Read aloud. */
  readonly label: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
  readonly onScroll?: UIEventHandler<HTMLDivElement>;
  readonly children: ReactNode;
}

/** What scrolls can have the focus, so that keys can scroll it. What is placed in it, such as words that are only read aloud, stays in it. */
export function ScrollBox({ label, className = '', ref, onScroll, children }: Props): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <div
      ref={ref}
      onScroll={onScroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`relative ${className}`}
    >
      {children}
    </div>
  );
}
