import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

interface Props {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, the chief one last. */
  readonly footer?: ReactNode;
  /** `wide` for what has to be compared or read. */
  readonly size?: 'small' | 'wide';
}

const WIDTH = { small: 'sm:w-[560px]', wide: 'sm:w-[min(960px,94vw)]' };

/** Whoever opens a dialog wants to fill it in; where there is nothing to fill in, the dialog itself is read. */
const FIRST = ':is(textarea, input:not([type="hidden"]), select)';

export function Dialog({ title, open, onClose, children, footer, size = 'small' }: Props): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIRST) ?? popup.current}
          className={`fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-lg border border-line bg-raised text-text shadow-float sm:inset-auto sm:top-[8vh] sm:left-1/2 sm:max-h-[84vh] sm:-translate-x-1/2 sm:rounded-lg ${WIDTH[size]}`}
        >
          <header className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
            <Base.Title className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" />}>
              <X size={15} aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
