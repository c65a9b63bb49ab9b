import type { ReactNode } from 'react';
import { useLink } from '../api/hub.ts';
import { classNames } from '../ui/class-names.ts';
import { Tooltip } from '../ui/tooltip.tsx';

const SAID = {
  live: { word: 'Live', text: 'What happens is shown as it happens.', look: 'bg-ok' },
  connecting: { word: 'Connecting', text: 'The page is asking the server for what happens.', look: 'bg-warn' },
  lost: { word: 'Offline', text: 'The server does not answer. The page tries again by itself.', look: 'bg-bad' },
};

export function ConnectionMark(): ReactNode {
  const { kind } = useLink();
  const { word, text, look } = SAID[kind];
  return (
    <Tooltip text={text}>
      <button type="button" className="flex h-7 cursor-default items-center gap-1.5 px-1.5 text-muted">
        <span aria-hidden className={classNames('size-2 rounded-full', look)} />
        <span className={kind === 'live' ? 'max-md:sr-only' : undefined}>{word}</span>
      </button>
    </Tooltip>
  );
}
