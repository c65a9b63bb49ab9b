import type { ReactNode } from 'react';
import { keyNames } from './shortcuts.ts';

/** Keys as they are pressed: `g r`, `mod+k`. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className="inline-flex gap-0.5">
      {keyNames(keys).map((name, index) => (
        <kbd
          // The same key may be pressed twice, and nothing moves.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="min-w-4 rounded-sm border border-line bg-surface px-1 text-center text-2xs text-muted"
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}
