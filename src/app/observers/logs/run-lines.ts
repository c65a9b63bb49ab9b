import type { RunId } from '../../../core/ids.ts';
import type { LogLine } from '../../../protocol/log-lines/log-line.ts';
import { LineTeller } from '../../../protocol/log-lines/tell-line.ts';
import { RunFeed, type FedRecord, type FeedJournal } from './run-feed.ts';

/** The log lines of a run and of all below it: those there are, then those that come. Each once. */
export class RunLines {
  readonly #feed: RunFeed;
  readonly #tellers = new Map<RunId, LineTeller>();

  constructor(journal: FeedJournal, root: RunId) {
    this.#feed = new RunFeed(journal, root);
  }

  async readOn(): Promise<readonly LogLine[]> {
    return this.#tell(await this.#feed.readOn());
  }

  async take(news: Parameters<RunFeed['take']>[0]): Promise<readonly LogLine[]> {
    return this.#tell(await this.#feed.take(news));
  }

  #tell(records: readonly FedRecord[]): readonly LogLine[] {
    return records.flatMap(({ run, record, isInherited }) => {
      const teller = this.#tellers.get(run) ?? new LineTeller(run);
      this.#tellers.set(run, teller);
      const lines = teller.tell(record);
      return isInherited ? [] : lines;
    });
  }
}
