import { ChevronDown, ChevronRight, MessageSquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ChangeCounts } from './change-counts.tsx';
import type { DiffFile } from './diff-files.ts';

interface Props {
  readonly file: DiffFile;
  readonly isFolded: boolean;
  readonly isReviewed: boolean;
  readonly onFold: (isFolded: boolean) => void;
  readonly onReviewed: (isReviewed: boolean) => void;
  readonly onComment: () => void;
}

/** Above a file's lines, and there while they are scrolled. */
export function FileHeader({ file, isFolded, isReviewed, onFold, onReviewed, onComment }: Props): ReactNode {
  const { path, note, isLarge } = file;
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  const name = visibleText(path);
  return (
    <div className="flex h-9 min-w-0 items-center gap-2 border-y border-line bg-surface pr-2 pl-1 font-sans text-base text-text">
      <IconButton
        label={`${isFolded ? 'Unfold' : 'Fold'} ${name}`}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      >
        <Chevron size={14} aria-hidden />
      </IconButton>
      <span className="min-w-0 truncate font-mono text-sm font-medium" dir="ltr" title={name}>
        {name}
      </span>
      <ChangeCounts file={file} />
      <span className="min-w-0 flex-1 truncate text-sm text-muted">
        {note ?? (isLarge && isFolded ? 'A large change; unfold it to see it.' : '')}
      </span>
      <IconButton label={`Comment on ${name}`} onClick={onComment}>
        <MessageSquarePlus size={14} aria-hidden />
      </IconButton>
      <label className="flex shrink-0 cursor-pointer items-center gap-1.5 text-sm text-muted select-none">
        <input
          type="checkbox"
          className="accent-(--accent)"
          checked={isReviewed}
          onChange={(event) => onReviewed(event.target.checked)}
          aria-label={`Reviewed ${name}`}
        />
        <span aria-hidden className="max-sm:hidden">
          Reviewed
        </span>
      </label>
    </div>
  );
}
