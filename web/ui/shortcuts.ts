/**
 * The keys of the page, known in one place: what is pressed is looked up here, and the help and the palette list it. A shortcut
 * is one key (`j`, `?`), keys one after the other (`g r`), or with Ctrl or ⌘ (`mod+k`). The newest of a key wins.
 */
export interface Shortcut {
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

export class Shortcuts {
  #list: readonly Shortcut[] = [];
  #before: { readonly key: string; readonly at: number } | null = null;
  readonly #listeners = new Set<() => void>();

  readonly list = (): readonly Shortcut[] => this.#list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  add(shortcut: Shortcut): () => void {
    this.#set([...this.#list, shortcut]);
    return () => this.#set(this.#list.filter((one) => one !== shortcut));
  }

  /** What a key means now, after the key before it; null where nothing. */
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

  /** Whether the next key belongs to the one before it: nobody else may take it. */
  isBegun(now: number): boolean {
    return this.#begun(now) !== null;
  }

  #begun(now: number): string | null {
    return this.#before !== null && now - this.#before.at < SEQUENCE_MS ? this.#before.key : null;
  }

  #set(list: readonly Shortcut[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
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
