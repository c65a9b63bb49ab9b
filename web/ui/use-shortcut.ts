import { useEffect, useRef } from 'react';
import { Shortcuts, type Shortcut } from './shortcuts.ts';

/** The page's one list of keys. */
export const shortcuts = new Shortcuts();

/** While the caller is on the page, the key does this; `?` and the palette list it. A null action takes the key away. */
export function useShortcut(keys: string, label: string, run: (() => void) | null): void {
  useKey({ keys, label, isEverywhere: false }, run);
}

/** The same, but also while somebody writes or a dialog is open. */
export function useShortcutEverywhere(keys: string, label: string, run: () => void): void {
  useKey({ keys, label, isEverywhere: true }, run);
}

function useKey({ keys, label, isEverywhere }: Required<Omit<Shortcut, 'run'>>, run: (() => void) | null): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isThere = run !== null;
  useEffect(
    () => (isThere ? shortcuts.add({ keys, label, isEverywhere, run: () => latest.current?.() }) : undefined),
    [keys, label, isThere, isEverywhere],
  );
}

/** Listens for the whole page. */
export function listenToKeys(): () => void {
  const heard = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    const pressed = { key, isMod: ctrlKey || metaKey, isAlt: altKey, isBusy: isTaken(event) };
    const shortcut = shortcuts.press(pressed, event.timeStamp);
    if (shortcut === null) return;
    event.preventDefault();
    shortcut.run();
  };
  document.addEventListener('keydown', heard);
  return () => document.removeEventListener('keydown', heard);
}

function isTaken(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  const isWriting =
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return isWriting || document.querySelector('[role="dialog"],[role="menu"]') !== null;
}
