import { Fault } from '../../core/model/fault.ts';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { RunCard } from '../../protocol/web/run-card.ts';
import type { Operations } from '../operations.ts';
import { openPages } from '../http/open-pages.ts';
import { Bell } from '../live/bell.ts';
import { listRuns, type RunQuery } from '../live/list-runs.ts';
import { LiveDesk } from '../live/live-desk.ts';
import { reportOf, type RunReport } from './run-report.ts';

export interface WatchPatience {
  readonly withinMs: number;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

/** How runs stand: the board of the web page, for agents. */
export class RunWatch {
  readonly #desk: LiveDesk;
  readonly #home: string;

  constructor(operations: Pick<Operations, 'journal' | 'home'>) {
    this.#desk = new LiveDesk(operations);
    this.#home = operations.home;
  }

  /** By its whole id. RUN_UNKNOWN. */
  async info(run: string): Promise<RunInfo> {
    const info = await this.#desk.journal.run(runId(run));
    if (info !== undefined) return info;
    throw new Fault('RUN_UNKNOWN', `There is no run "${run}".`, { hint: 'list_runs lists them.' });
  }

  async report(run: string): Promise<RunReport> {
    return this.#reportOf(await this.#card(rootRunId((await this.info(run)).run)));
  }

  async list(query: RunQuery): Promise<{ readonly runs: readonly RunReport[]; readonly next: string | null }> {
    const { cards, next } = await listRuns(this.#desk, query);
    return { runs: cards.map((card) => this.#reportOf(card)), next };
  }

  /** Until it is over or needs somebody; or as it is when the time is over. */
  async wait(run: string, { withinMs, signal, progress }: WatchPatience): Promise<RunReport> {
    const root = rootRunId((await this.info(run)).run);
    const bell = new Bell();
    const ring = (): void => bell.ring();
    const late = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    late.addEventListener('abort', ring, { once: true });
    const endings = [
      this.#desk.open({ words: () => undefined, broken: ring }),
      this.#desk.cards.onCard((changed) => changed === root && ring()),
    ];
    try {
      for (let last = ''; ; await bell.heard()) {
        const card = await this.#card(root);
        if (card.status !== 'running' || late.aborted) return this.#reportOf(card);
        const news = [card.details?.state, ...(card.details?.agents ?? [])].join(' ');
        if (news !== last) progress(news);
        last = news;
      }
    } finally {
      late.removeEventListener('abort', ring);
      for (const end of endings) end();
    }
  }

  async #card(root: RunId): Promise<RunCard> {
    await this.#desk.index.survey();
    await this.#desk.index.look([root]);
    await this.#desk.cards.read([root], READ_MS);
    await this.#desk.cards.checkBranches();
    const card = this.#desk.cards.card(root);
    if (card !== null) return card;
    throw new Fault('RUN_UNKNOWN', `Run ${root} is not there any more.`);
  }

  #reportOf(card: RunCard): RunReport {
    const [page] = openPages(this.#home);
    return reportOf(card, page === undefined ? null : `${page.origin}/runs/${encodeURIComponent(card.run)}`);
  }
}

/** How long an answer waits for a large run to be read. */
const READ_MS = 10_000;
