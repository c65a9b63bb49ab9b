import { useEffect, useRef } from 'react';
import { Watched } from '../model/watched.ts';

/**
 * The keys of the page, known in one place: what is pressed is looked up here, and the help and the palette list it. A shortcut
 * is one key (`j`, `?`), keys one after the other (`g r`), or with Ctrl or ⌘ (`mod+k`). The newest of a key wins.
 */
interface Shortcut {
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** Also while a text field has the focus. */
  readonly isEverywhere?: boolean;
}

export interface Pressed {
  readonly key: string;
  readonly isMod: boolean;
  readonly isAlt: boolean;
  /** A text field has the focus, or a dialog is open. */
  readonly isBusy: boolean;
}

export class Shortcuts extends Watched {
  #list: readonly Shortcut[] = [];
  #before: { readonly key: string; readonly at: number } | null = null;

  readonly list = (): readonly Shortcut[] => this.#list;

  add(shortcut: Shortcut): () => void {
    this.#set([...this.#list, shortcut]);
    return () => this.#set(this.#list.filter((one) => one !== shortcut));
  }

  /** The shortcut of a key after the key before it; null if there is none. */
  press(pressed: Pressed, now: number): Shortcut | null {
    if (pressed.isAlt) return null;
    const name = pressed.isMod ? `mod+${pressed.key.toLowerCase()}` : pressed.key;
    const before = this.#begun(now);
    const usable = this.#list.filter((one) => !pressed.isBusy || one.isEverywhere === true);
    const found =
      (before === null ? undefined : usable.findLast((one) => one.keys === `${before} ${name}`)) ??
      usable.findLast((one) => one.keys === name);
    const isBeginning = found === undefined && usable.some((one) => one.keys.startsWith(`${name} `));
    this.#before = isBeginning ? { key: name, at: now } : null;
    return found ?? null;
  }

  /** Whether the next key belongs to the one before it, so that no other handler takes it. */
  isBegun(now: number): boolean {
    return this.#begun(now) !== null;
  }

  #begun(now: number): string | null {
    return this.#before !== null && now - this.#before.at < SEQUENCE_MS ? this.#before.key : null;
  }

  #set(list: readonly Shortcut[]): void {
    this.#list = list;
    this.notify();
  }
}

const SEQUENCE_MS = 1200;

/** One name for each key to press. */
export function keyNames(keys: string, isMac = isApple()): readonly string[] {
  return keys
    .split(' ')
    .flatMap((part) => (part === '+' ? ['+'] : part.split('+')))
    .map((part) => KEY_NAMES[part] ?? (part === 'mod' ? (isMac ? '⌘' : 'Ctrl') : part));
}

const KEY_NAMES: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', Enter: '↵' };

const isApple = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

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
