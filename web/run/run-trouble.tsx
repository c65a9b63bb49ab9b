import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunTree } from '../model/run-tree.ts';
import { Empty } from '../ui/empty.tsx';
import { visibleText } from '../ui/visible-text.ts';

interface Props {
  readonly failure: NonNullable<RunTree['failure']>;
  /** What was read of it is still shown below. */
  readonly isBanner?: boolean;
}

/** A run that is not there, is damaged, or went away while it was looked at. */
export function RunTrouble({ failure: { code, message, hint }, isBanner = false }: Props): ReactNode {
  if (isBanner)
    return (
      <p role="alert" className="flex items-center gap-2 border-b border-line bg-bad-soft px-4 py-1.5 text-bad">
        <TriangleAlert size={14} aria-hidden />
        {visibleText(message)} What you see is how far it could be read. <code className="text-xs">{code}</code>
      </p>
    );
  return (
    <Empty
      title="This run cannot be shown"
      why={
        <>
          <p>{visibleText(message)}</p>
          {hint !== undefined && <p>{visibleText(hint)}</p>}
          <code className="text-xs">{code}</code>
        </>
      }
      action={
        <Link to="/" className="text-accent underline">
          Go to the board
        </Link>
      }
    />
  );
}
