import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useShortcut, useShortcutEverywhere } from '../ui/use-shortcut.ts';
import { overlays, useOverlay } from './overlays.ts';
import { matching } from './palette-items.ts';
import { PaletteList } from './palette-list.tsx';
import { usePaletteItems } from './use-palette-items.ts';

/** Everything by its name: runs, workflows, actions, tabs. */
export function Palette(): ReactNode {
  const isOpen = useOverlay()?.kind === 'palette';
  const navigate = useNavigate();
  useShortcutEverywhere('mod+k', 'Open the palette', () => overlays.show('palette'));
  useShortcut('g r', 'Go to the board of runs', () => void navigate({ to: '/' }));
  useShortcut('g i', 'Go to the inbox', () => void navigate({ to: '/inbox' }));
  useShortcut('g w', 'Go to the workflows', () => void navigate({ to: '/workflows' }));
  useShortcut('c', 'Start a run', () => overlays.start());
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isOn) => isOn || overlays.close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/35" />
        <Dialog.Popup
          aria-label="Palette"
          className="fixed top-[10vh] left-1/2 z-40 flex max-h-[70vh] w-[min(620px,94vw)] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          <PaletteSearch />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteSearch(): ReactNode {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const items = matching(usePaletteItems(useDeferredValue(query), true), query);
  const at = Math.min(chosen, Math.max(0, items.length - 1));
  const choose = (place: number): void => {
    overlays.close();
    items[place]?.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') choose(at);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={15} aria-hidden className="text-muted" />
        <input
          role="combobox"
          aria-label="Search for runs, workflows and actions"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={items[at] === undefined ? undefined : `palette-${at}`}
          placeholder="Runs, workflows, actions …"
          className="h-11 flex-1 bg-transparent text-lg outline-none placeholder:text-muted"
          value={query}
          onKeyDown={press}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
        />
      </div>
      <PaletteList items={items} at={at} onChoose={choose} />
    </>
  );
}
