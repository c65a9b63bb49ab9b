import type { BodyHash } from '../../core/model/ids.ts';
import { textName } from './named-texts.ts';

/** Limit of all kept characters: requests of the agents that were silent for longest are dropped first. */
const MOST_CHARACTERS = 16_000_000;

/** The newest request of each agent that this process drives, and which texts it has stored. */
export class RecentRequests {
  readonly #requests = new Map<string, KeptRequest>();
  readonly #bodies = new Map<string, Promise<BodyHash>>();
  #characters = 0;

  find(key: string): KeptRequest | null {
    return this.#requests.get(key) ?? null;
  }

  keep(key: string, request: KeptRequest): void {
    this.#drop(key);
    this.#requests.set(key, request);
    this.#characters += request.text.length;
    for (const oldest of this.#requests.keys()) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#requests.get(key)?.text.length ?? 0;
    this.#requests.delete(key);
  }

  /** Stores a text once, however many requests hold it. */
  async body(text: string, put: (text: string) => Promise<BodyHash>): Promise<BodyHash> {
    const name = textName(text);
    const known = this.#bodies.get(name) ?? put(text);
    this.#bodies.set(name, known);
    known.catch(() => this.#bodies.delete(name));
    return await known;
  }
}

/** The text of a request without marks, for the next one. */
export interface KeptRequest {
  readonly digest: string;
  readonly text: string;
}
