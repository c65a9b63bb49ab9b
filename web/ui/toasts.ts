import type { Tone } from './badge.tsx';

export interface Toast {
  readonly title: string;
  readonly tone: Tone;
  /** What went wrong, by the name that can be looked up. */
  readonly code?: string;
  readonly hint?: string;
}

export interface ShownToast extends Toast {
  readonly id: number;
}

/** Short words at the edge of the page. An error stays until it is put away. */
class Toasts {
  #shown: readonly ShownToast[] = [];
  #count = 0;
  readonly #listeners = new Set<() => void>();

  readonly shown = (): readonly ShownToast[] => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  show(toast: Toast): void {
    this.#count += 1;
    const id = this.#count;
    this.#set([...this.#shown.filter(({ title }) => title !== toast.title), { ...toast, id }].slice(-4));
    if (toast.tone !== 'bad') setTimeout(() => this.dismiss(id), 5000);
  }

  dismiss(id: number): void {
    this.#set(this.#shown.filter((toast) => toast.id !== id));
  }

  #set(shown: readonly ShownToast[]): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

export const toasts = new Toasts();

export const toast = (words: Toast): void => toasts.show(words);
