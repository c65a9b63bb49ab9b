import type { RunCard } from '../../../src/protocol/web/run-card.ts';
import type { StreamBatch, StreamRequest, TextDelta } from '../../../src/protocol/web/stream.ts';
import { openEvents, type OpenEvents } from './event-reader.ts';

/** Follows `POST /api/stream` as the page does, and keeps all that came. */
export class TreeFollower {
  readonly #events: OpenEvents;
  readonly batches: StreamBatch[] = [];

  private constructor(events: OpenEvents) {
    this.#events = events;
  }

  static async open(url: string, request: StreamRequest, token?: string): Promise<TreeFollower> {
    const body = JSON.stringify(request);
    const authorized = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { 'Content-Type': 'application/json', ...authorized };
    return new TreeFollower(await openEvents(`${url}/api/stream`, { method: 'POST', body, headers }));
  }

  /** By run, the numbers of the records in the order in which they came. */
  numbers(run: string): readonly number[] {
    return this.#all('records').flatMap((line) => (line.run === run ? [line.record.seq] : []));
  }

  lost(): StreamBatch['lost'] {
    return this.#all('lost');
  }

  texts(): readonly TextDelta[] {
    return this.#all('texts');
  }

  /** As it was sent last. */
  card(run: string): RunCard | undefined {
    return this.#all('cards').findLast((card) => card.run === run);
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      const event = await this.#events.next();
      if (event === null) throw new Error(`The stream ended: ${JSON.stringify(this.batches.at(-1)).slice(0, 500)}`);
      this.batches.push(JSON.parse(event.data) as StreamBatch);
    }
  }

  /** Whether the stream has come to its end. */
  async ended(): Promise<boolean> {
    return (await this.#events.next()) === null;
  }

  close(): void {
    this.#events.close();
  }

  #all<Part extends keyof StreamBatch>(part: Part): StreamBatch[Part][number][] {
    return this.batches.flatMap((batch): readonly StreamBatch[Part][number][] => batch[part]);
  }
}
