import type { BodyHash } from '../../core/model/ids.ts';
import { quotedText } from './named-texts.ts';

/** Limit of all kept characters: requests of the agents that were silent for longest are dropped first. */
const MOST_CHARACTERS = 16_000_000;

/** Texts that start or end many requests: those of a few teams. */
const MOST_TEXTS = 256;

/** The newest request of each agent that this process drives, and which texts it has stored. */
export class RecentRequests {
  readonly #requests = new Map<string, KeptRequest>();
  readonly #texts = new Map<string, CommonText>();
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
    const known = this.common(text);
    const stored = known.stored ?? put(text);
    known.stored = stored;
    stored.catch(() => this.#texts.delete(text));
    return await stored;
  }

  /** By the text itself: a name would have to be computed each time. */
  common(text: string): CommonText {
    const known = this.#texts.get(text) ?? { quoted: quotedText(text), stored: null };
    this.#texts.delete(text);
    this.#texts.set(text, known);
    const [oldest = text] = this.#texts.keys();
    if (this.#texts.size > MOST_TEXTS) this.#texts.delete(oldest);
    return known;
  }
}

interface CommonText {
  /** As written inside a JSON string. */
  readonly quoted: string;
  stored: Promise<BodyHash> | null;
}

/** The text of a request without marks, for the next one. */
export interface KeptRequest {
  readonly digest: string;
  readonly text: string;
}
