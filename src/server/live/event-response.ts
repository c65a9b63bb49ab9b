import { errorBody } from '../http/api-error.ts';

/** The events for one client, piece by piece. */
export interface EventFeed {
  /** The next piece, as soon as there is one; null when there will be none. Asked for only when the client has taken the last. */
  next(): Promise<string | null>;
  close(): void;
}

export interface EventOptions {
  readonly heartbeatMs?: number;
  /** A client that takes nothing for so long, although there is something, is gone. */
  readonly patienceMs?: number;
  /** Aborted with a Fault when the client may not read on: the last event says why (`ended`). */
  readonly ended?: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
/** Longer than `start-server.ts` waits, which drops such a client silently; this timeout would be logged as a server error. */
const PATIENCE_MS = 90_000;

/**
 * Server-sent events at the reader's pace: nothing is made before it is read, and the first read opens the feed, since an
 * answer to HEAD is never read.
 */
export function eventResponse(open: () => EventFeed, options: EventOptions = {}): Response {
  const { ended } = options;
  const opened = ended === undefined ? open : () => new EndingFeed(open(), ended);
  return new Response(new ReadableStream(new FeedSource(opened, options), { highWaterMark: 0 }), {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // For a proxy between that would gather them.
      'X-Accel-Buffering': 'no',
    },
  });
}

/** One event. Line breaks would end it. */
export function eventText(event: string, data: string, id?: number): string {
  const lines = id === undefined ? '' : `id: ${id}\n`;
  return `${lines}event: ${event}\ndata: ${data}\n\n`;
}

/** Another feed, until its reader may not continue: then it says why and is over. */
class EndingFeed implements EventFeed {
  readonly #feed: EventFeed;
  readonly #ended: AbortSignal;
  #isOver = false;

  constructor(feed: EventFeed, ended: AbortSignal) {
    this.#feed = feed;
    this.#ended = ended;
  }

  async next(): Promise<string | null> {
    if (this.#isOver) return null;
    const text = this.#ended.aborted ? null : await this.#nextOrEnd();
    if (!this.#ended.aborted) return text;
    this.#isOver = true;
    return eventText('ended', JSON.stringify(errorBody(this.#ended.reason)));
  }

  /** A promise for each text: one that lived as long as the stream would keep every text that it was raced with. */
  async #nextOrEnd(): Promise<string | null> {
    const end = Promise.withResolvers<null>();
    const ring = (): void => end.resolve(null);
    this.#ended.addEventListener('abort', ring, { once: true });
    try {
      return await Promise.race([this.#feed.next(), end.promise]);
    } finally {
      this.#ended.removeEventListener('abort', ring);
    }
  }

  close(): void {
    this.#feed.close();
  }
}

class FeedSource {
  readonly #open: () => EventFeed;
  readonly #heartbeatMs: number;
  readonly #patienceMs: number;
  readonly #encoder = new TextEncoder();
  /** Null until somebody reads. */
  #feed: EventFeed | null = null;
  #coming: Promise<string | null> | null = null;
  #watchdog: NodeJS.Timeout | null = null;

  constructor(open: () => EventFeed, { heartbeatMs = HEARTBEAT_MS, patienceMs = PATIENCE_MS }: EventOptions) {
    this.#open = open;
    this.#heartbeatMs = heartbeatMs;
    this.#patienceMs = patienceMs;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog);
    const text = await this.#nextText().catch((error: unknown) => {
      this.#end();
      throw error;
    });
    if (text === null) {
      this.#end();
      controller.close();
      return;
    }
    controller.enqueue(this.#encoder.encode(text));
    this.#watchdog = setTimeout(() => {
      this.#end();
      controller.error(new Error('The client reads nothing.'));
    }, this.#patienceMs);
    this.#watchdog.unref();
  }

  cancel(): void {
    this.#end();
  }

  async #nextText(): Promise<string | null> {
    if (this.#feed === null) {
      this.#feed = this.#open();
      // Sent once, so that a page that lost the server reconnects soon.
      return `retry: ${RETRY_MS}\n\n`;
    }
    this.#coming ??= this.#feed.next();
    const { promise, resolve } = Promise.withResolvers<typeof STILL>();
    const timer = setTimeout(resolve, this.#heartbeatMs, STILL);
    const text = await Promise.race([this.#coming, promise]).finally(() => clearTimeout(timer));
    if (text === STILL) return ': still here\n\n';
    this.#coming = null;
    return text;
  }

  #end(): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog);
    this.#feed?.close();
  }
}

const RETRY_MS = 1000;
const STILL = Symbol('nothing new');
