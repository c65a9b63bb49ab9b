import { useSyncExternalStore } from 'react';
import { Watched } from '../model/watched.ts';

export type ThemeWord = 'system' | 'light' | 'dark';

const KEY = 'troupe-theme';

/** Light or dark: as the system is, until the person chooses; the choice is kept in this browser. */
class ThemeChoice extends Watched {
  readonly #system = matchMedia('(prefers-color-scheme: dark)');

  constructor() {
    super();
    this.#system.addEventListener('change', () => this.#tell());
  }

  readonly chosen = (): ThemeWord => {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  };

  /** What is seen now. */
  readonly shown = (): 'light' | 'dark' => {
    const chosen = this.chosen();
    return chosen === 'system' ? (this.#system.matches ? 'dark' : 'light') : chosen;
  };

  choose(word: ThemeWord): void {
    localStorage.setItem(KEY, word);
    this.apply();
    this.#tell();
  }

  apply(): void {
    const chosen = this.chosen();
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  }

  #tell(): void {
    this.notify();
  }
}

export const themeChoice = new ThemeChoice();

/** For parts with their own colours. */
export const useShownTheme = (): 'light' | 'dark' => useSyncExternalStore(themeChoice.subscribe, themeChoice.shown);

export const useChosenTheme = (): ThemeWord => useSyncExternalStore(themeChoice.subscribe, themeChoice.chosen);
