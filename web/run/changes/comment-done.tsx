import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { NOTE_BOX } from './note-box.ts';

interface Props {
  /** The fork that was begun; null where the agent was told. */
  readonly run: string | null;
  readonly agent: string;
  readonly onClose: () => void;
}

export function CommentDone({ run, agent, onClose }: Props): ReactNode {
  return (
    <div role="status" className={`${NOTE_BOX} flex max-w-2xl items-center gap-2`}>
      <span className="flex-1">{run === null ? `${visibleText(agent)} was told.` : 'The fork has begun.'}</span>
      {run !== null && (
        <Link to="/runs/$run" params={{ run }} className="text-accent underline">
          Open it
        </Link>
      )}
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}

export function NobodyToTell({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  return (
    <div className={`${NOTE_BOX} flex max-w-2xl items-center gap-2`}>
      <span className="flex-1">No agent works in these files, so there is nobody to tell.</span>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
