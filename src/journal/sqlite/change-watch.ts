import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { RunId } from '../../core/model/ids.ts';
import { ChangeListeners } from '../change-listeners.ts';
import type { ChangeListener } from '../port.ts';

const POLL_MS = 25;

/** Notifies listeners of own writes at once, and of other processes' writes by polling SQLite. */
export class ChangeWatch {
  readonly #listeners = new ChangeListeners();
  readonly #version: StatementSync;
  #timer: NodeJS.Timeout | undefined;
  #seen: unknown;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('PRAGMA data_version');
  }

  add(listener: ChangeListener): () => void {
    const remove = this.#listeners.add(listener);
    if (this.#timer === undefined) this.#start();
    return () => {
      remove();
      if (this.#listeners.isEmpty) this.stop();
    };
  }

  announce(changed: readonly RunId[]): void {
    if (changed.length > 0) this.#listeners.announce(changed);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#seen = this.#dataVersion();
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  #poll(): void {
    const version = this.#dataVersion();
    if (version === this.#seen) return;
    this.#seen = version;
    this.#listeners.announce(null);
  }

  /** If it cannot be read, the next real read throws the reason; a timer must not throw. */
  #dataVersion(): unknown {
    try {
      return this.#version.get()?.['data_version'];
    } catch {
      return this.#seen;
    }
  }
}
