import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Why there is nothing, and when there will be. */
  readonly why: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, why, action }: Props): ReactNode {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-1 px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      <div className="text-muted">{why}</div>
      {action !== undefined && <div className="pt-2">{action}</div>}
    </div>
  );
}
