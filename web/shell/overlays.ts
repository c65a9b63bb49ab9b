import { useSyncExternalStore } from 'react';
import { Watched } from '../model/watched.ts';

export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'help' }
  /** The form that starts a run; of a workflow, where one was chosen. */
  | { readonly kind: 'start'; readonly workflow: string | null };

/** What lies over the page, if anything. */
class Overlays extends Watched {
  #shown: Overlay | null = null;

  readonly shown = (): Overlay | null => this.#shown;

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
    this.notify();
  }
}

export const overlays = new Overlays();

export const useOverlay = (): Overlay | null => useSyncExternalStore(overlays.subscribe, overlays.shown);
