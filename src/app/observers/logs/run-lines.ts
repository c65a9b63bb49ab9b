import type { RunId } from '../../../core/ids.ts';
import type { LogLine } from '../../../protocol/log-lines/log-line.ts';
import { LineTeller } from '../../../protocol/log-lines/tell-line.ts';
import { TreeReader, type ReadRecord, type TreeJournal } from '../../runs/tree-reader.ts';

/** The log lines of a run and of all below it: those there are, then those that come. Each once. */
export class RunLines {
  readonly #reader: TreeReader;
  readonly #tellers = new Map<RunId, LineTeller>();

  constructor(journal: TreeJournal, root: RunId) {
    this.#reader = new TreeReader(journal, root);
  }

  async readOn(): Promise<readonly LogLine[]> {
    return this.#tell(await this.#reader.readOn());
  }

  async take(news: Parameters<TreeReader['take']>[0]): Promise<readonly LogLine[]> {
    return this.#tell(await this.#reader.take(news));
  }

  #tell(records: readonly ReadRecord[]): readonly LogLine[] {
    return records.flatMap(({ run, record, isInherited }) => {
      const teller = this.#tellers.get(run) ?? new LineTeller(run);
      this.#tellers.set(run, teller);
      const lines = teller.tell(record);
      return isInherited ? [] : lines;
    });
  }
}
