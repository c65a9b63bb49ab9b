import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';

/** Beside the line that is pointed at. */
export function CommentButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  return (
    <button
      type="button"
      aria-label="Comment on this line"
      onClick={onPress}
      className="-mr-1 flex size-[18px] items-center justify-center rounded-sm bg-accent text-on-accent"
    >
      <Plus size={13} aria-hidden />
    </button>
  );
}
