import type { StreamBatch, StreamRequest } from '../../src/protocol/web/stream.ts';
import { Wants, type Want } from './wants.ts';
import { Watched } from '../model/watched.ts';

/**
 * One stream for all tabs of a browser: six connections are all it has for a server. The tab that holds the lock leads: it
 * connects for all and passes on the events; when it closes, the next one leads. A new leader asks all tabs where they are, so
 * nothing is missed over a change of the leader, a lost connection or a restarted server.
 */
export interface HubWorld {
  readonly tab: string;
  /** `open` once the server has answered, then what comes; ends or throws when the connection is gone. */
  connect(request: StreamRequest, signal: AbortSignal): AsyncIterable<'open' | StreamBatch>;
  readonly channel: {
    post(message: HubMessage): void;
    listen(heard: (message: HubMessage) => void): void;
  };
  /** Calls back when this tab leads; it does so for as long as the promise is open. */
  lead(run: () => Promise<void>): void;
  /** Ends early, without fault, when the signal says so. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export type HubMessage =
  | { readonly kind: 'who' }
  | { readonly kind: 'want'; readonly tab: string; readonly want: Want }
  | { readonly kind: 'gone'; readonly tab: string }
  | { readonly kind: 'batch'; readonly batch: StreamBatch }
  | { readonly kind: 'link'; readonly link: Link };

/** The state of the connection. Each opening has a number: a new one means that data outside the stream must be read again. */
export interface Link {
  readonly kind: 'connecting' | 'live' | 'lost';
  readonly opening: number;
}

export interface Interest {
  readonly cards?: boolean;
  readonly root?: string;
  /** How far the run and those below it are known. */
  readonly cursor?: () => Readonly<Record<string, number>>;
  readonly heard: (batch: StreamBatch) => void;
}

const SETTLE_MS = 25;
const ROLL_CALL_MS = 60_000;
const LONGEST_WAIT_MS = 8000;

export class StreamHub extends Watched {
  readonly #world: HubWorld;
  readonly #interests = new Set<Interest>();
  readonly #heardOf = new Set<string>();
  #wants: Wants | null = null;
  #link: Link = { kind: 'connecting', opening: 0 };
  /** Of the connection or the wait that is under way. */
  #present = new AbortController();
  #isAnnouncing = false;

  constructor(world: HubWorld) {
    super();
    this.#world = world;
    world.channel.listen((message) => this.#hear(message));
    world.lead(() => this.#lead());
  }

  readonly link = (): Link => this.#link;

  follow(interest: Interest): () => void {
    this.#interests.add(interest);
    this.announce();
    return () => {
      this.#interests.delete(interest);
      this.announce();
    };
  }

  /** Says again what this tab wants and where it stands; many changes of a moment are one. */
  announce(): void {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    queueMicrotask(() => {
      this.#isAnnouncing = false;
      const message = { kind: 'want', tab: this.#world.tab, want: this.#want() } as const;
      if (this.#wants === null) this.#world.channel.post(message);
      else this.#hear(message);
    });
  }

  /** Tries again now instead of later. */
  hurry(): void {
    if (this.#link.kind !== 'live') this.#present.abort();
  }

  leave(): void {
    this.#world.channel.post({ kind: 'gone', tab: this.#world.tab });
  }

  #want(): Want {
    const interests = [...this.#interests];
    const roots = interests.flatMap(({ root, cursor }) =>
      root === undefined ? [] : [[root, cursor?.() ?? {}] as const],
    );
    return { cards: interests.some(({ cards }) => cards === true), roots: Object.fromEntries(roots) };
  }

  #hear(message: HubMessage): void {
    switch (message.kind) {
      case 'who':
        return this.announce();
      case 'want':
        return this.#take(message.tab, message.want);
      case 'gone':
        return this.#wants?.drop(message.tab);
      case 'batch':
        return this.#give(message.batch);
      case 'link':
        return this.#setLink(message.link);
    }
  }

  #take(tab: string, want: Want): void {
    if (this.#wants === null) return;
    this.#heardOf.add(tab);
    const isBehind = this.#wants.take(tab, want);
    if (tab !== this.#world.tab) this.#world.channel.post({ kind: 'link', link: this.#link });
    if (isBehind) this.#present.abort();
  }

  #give(batch: StreamBatch): void {
    for (const { heard } of this.#interests) heard(batch);
  }

  async #lead(): Promise<void> {
    this.#wants = new Wants();
    this.#wants.take(this.#world.tab, this.#want());
    void this.#callRoll();
    for (let tries = 0; ;) {
      const { opening } = this.#link;
      // Those who were asked answer together: one connection for all of them.
      await this.#world.wait(SETTLE_MS, new AbortController().signal);
      this.#present = new AbortController();
      const isLost = await this.#connection(this.#wants, this.#present.signal);
      if (!isLost) continue;
      tries = this.#link.opening === opening ? tries + 1 : 0;
      this.#tellLink({ kind: 'lost', opening: this.#link.opening });
      this.#present = new AbortController();
      await this.#world.wait(Math.min(LONGEST_WAIT_MS, 250 * 2 ** Math.min(tries, 8)), this.#present.signal);
    }
  }

  /** True when it was lost, false when it was given up for a better one. */
  async #connection(wants: Wants, signal: AbortSignal): Promise<boolean> {
    const request = wants.request();
    if (request === null) {
      await this.#world.wait(ROLL_CALL_MS, signal);
      return false;
    }
    try {
      for await (const got of this.#world.connect(request, signal)) {
        if (signal.aborted) break;
        if (got === 'open') this.#tellLink({ kind: 'live', opening: this.#link.opening + 1 });
        else this.#pass(wants, got);
      }
    } catch {
      // Whatever it was: the connection is gone.
    }
    return !signal.aborted;
  }

  #pass(wants: Wants, batch: StreamBatch): void {
    wants.passed(batch);
    this.#world.channel.post({ kind: 'batch', batch });
    this.#give(batch);
  }

  /** Tabs that vanished without a word are forgotten. */
  async #callRoll(): Promise<void> {
    const { tab, channel } = this.#world;
    const forever = new AbortController().signal;
    for (;;) {
      this.#heardOf.clear();
      channel.post({ kind: 'who' });
      await this.#world.wait(ROLL_CALL_MS, forever);
      for (const one of this.#wants?.tabs() ?? []) if (one !== tab && !this.#heardOf.has(one)) this.#wants?.drop(one);
    }
  }

  #tellLink(link: Link): void {
    this.#setLink(link);
    this.#world.channel.post({ kind: 'link', link });
  }

  #setLink(link: Link): void {
    this.#link = link;
    this.notify();
  }
}
