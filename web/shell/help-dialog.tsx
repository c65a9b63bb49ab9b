import { useSyncExternalStore, type ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { shortcuts, useShortcut } from '../ui/use-shortcut.ts';
import { overlays, useOverlay } from './overlays.ts';

/** The keys that do something here, as they are registered now. */
export function HelpDialog(): ReactNode {
  const overlay = useOverlay();
  const list = useSyncExternalStore(shortcuts.subscribe, shortcuts.list);
  useShortcut('?', 'Show these shortcuts', () => overlays.show('help'));
  const unique = [...new Map(list.map((one) => [one.keys, one])).values()];
  return (
    <Dialog title="Keyboard shortcuts" open={overlay?.kind === 'help'} onClose={() => overlays.close()}>
      <dl className="grid grid-cols-1 gap-x-6 sm:grid-cols-2">
        {unique.map(({ keys, label }) => (
          <div key={keys} className="flex items-center justify-between gap-3 border-b border-line py-1.5">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
