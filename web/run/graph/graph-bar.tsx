import type { ReactNode } from 'react';

interface Props {
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

/** The row above a picture: as high as the tabs beside it. */
export function GraphBar({ lead, children }: Props): ReactNode {
  return (
    <div className="flex h-[37px] shrink-0 items-center gap-0.5 border-b border-line bg-surface px-2">
      {lead}
      <span className="ml-auto flex min-w-0 items-center gap-0.5">{children}</span>
    </div>
  );
}
