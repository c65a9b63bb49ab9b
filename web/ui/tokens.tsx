import type { ReactNode } from 'react';
import { formatCount } from './format.ts';

export function Tokens({ count }: { readonly count: number }): ReactNode {
  return (
    <span className="num whitespace-nowrap" title={`${count.toLocaleString('en-US')} tokens`}>
      {formatCount(count)}
    </span>
  );
}
