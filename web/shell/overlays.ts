import { useSyncExternalStore } from 'react';

export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'help' }
  /** The form that starts a run; of a workflow, where one was chosen. */
  | { readonly kind: 'start'; readonly workflow: string | null };

/** What lies over the page, if anything. */
class Overlays {
  #shown: Overlay | null = null;
  readonly #listeners = new Set<() => void>();

  readonly shown = (): Overlay | null => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  show(kind: 'palette' | 'help'): void {
    this.#set({ kind });
  }

  start(workflow: string | null = null): void {
    this.#set({ kind: 'start', workflow });
  }

  close(): void {
    this.#set(null);
  }

  #set(shown: Overlay | null): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

export const overlays = new Overlays();

export const useOverlay = (): Overlay | null => useSyncExternalStore(overlays.subscribe, overlays.shown);
