import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import type { RunCard } from '../../protocol/web/run-card.ts';
import type { StreamBatch, StreamRequest } from '../../protocol/web/stream.ts';
import { Bell } from './bell.ts';
import { eventText, type EventFeed } from './event-response.ts';
import type { Following, LiveDesk } from './live-desk.ts';
import { lossOf, shorter } from './loss-of.ts';
import { readTexts } from './read-texts.ts';
import type { RecordText } from './record-text.ts';
import type { ChangedRuns } from './run-index.ts';
import { SentWords } from './word-book.ts';

/**
 * All that one browser wants to hear of, in batches. It keeps no queue: of each run how far it has come, of cards which have
 * changed, of words how many were sent. A slow client gets larger batches later, and never more than fits.
 */
export class TreeFeed implements EventFeed {
  readonly #desk: LiveDesk;
  readonly #request: StreamRequest;
  readonly #bell = new Bell();
  readonly #followed = new Map<RunId, Followed>();
  readonly #cards = new Set<RunId>();
  readonly #words = new SentWords();
  readonly #lost: StreamBatch['lost'][number][] = [];
  readonly #endings: (() => void)[] = [];
  readonly #turns = new Map<RunId, number>();
  #turn = 0;
  #lastAt = -Infinity;
  #isOver = false;

  /** With an index that was just brought up to date. */
  constructor(desk: LiveDesk, request: StreamRequest) {
    this.#desk = desk;
    this.#request = request;
    this.#endings.push(
      desk.open({
        words: (run) => this.#followed.has(runId(run)) && this.#bell.ring(),
        broken: (error) => this.#break(error),
      }),
      desk.index.onChange((changed) => this.#adopt(changed)),
    );
    if (request.cards) this.#followCards();
    for (const run of Object.keys(request.after).map(runId)) this.#followTree(run);
    this.#bell.ring();
  }

  async next(): Promise<string | null> {
    for (;;) {
      if (this.#isOver && this.#lost.length === 0) return null;
      await this.#bell.heard();
      await sleep(Math.max(0, this.#lastAt + EVERY_MS - performance.now()));
      const text = await this.#batch();
      this.#lastAt = performance.now();
      if (text !== null) return eventText('batch', text);
    }
  }

  close(): void {
    this.#isOver = true;
    for (const end of this.#endings.splice(0)) end();
    for (const { following } of this.#followed.values()) following.stop();
    this.#followed.clear();
    this.#bell.ring();
  }

  #followTree(top: RunId): void {
    const tree = this.#desk.index.tree(top);
    if (tree.length === 0) this.#lose(top, new Fault('RUN_UNKNOWN', `There is no run "${top}".`));
    for (const { run, seq } of tree) this.#follow(run, seq);
  }

  #follow(run: RunId, seq: number): void {
    if (this.#followed.has(run) || this.#isOver) return;
    const after = Object.hasOwn(this.#request.after, run) ? (this.#request.after[run] ?? 0) : 0;
    if (after > seq) {
      this.#lose(run, shorter(run, seq, after));
      return;
    }
    const following = this.#desk.follow(run, seq, () => this.#bell.ring());
    this.#followed.set(run, { following, reached: Math.max(0, after) });
  }

  /** Runs that began below one that is followed. */
  #adopt(changed: ChangedRuns): void {
    for (const run of changed) {
      const info = this.#desk.index.info(run);
      if (info?.parent == null || this.#followed.has(run) || !this.#followed.has(info.parent)) continue;
      this.#follow(run, info.seq);
      this.#bell.ring();
    }
  }

  /** First all that are not over and the newest of the others: whatever was missed is made good by that. */
  #followCards(): void {
    const { index, cards } = this.#desk;
    this.#endings.push(
      cards.onCard((root) => {
        this.#cards.add(root);
        this.#bell.ring();
      }),
    );
    const roots = index.roots();
    const open = roots.filter(({ status }) => status !== 'settled').slice(0, FIRST_CARDS);
    const first = [...open, ...roots.slice(0, FIRST_CARDS)].map(({ run }) => run);
    for (const run of first) this.#cards.add(run);
    cards.want(first, 'soon');
  }

  #lose(run: RunId, error: unknown): void {
    this.#followed.get(run)?.following.stop();
    this.#followed.delete(run);
    this.#lost.push(lossOf(run, error));
    this.#bell.ring();
  }

  #break(error: unknown): void {
    for (const run of this.#followed.keys()) this.#lose(run, error);
    this.#isOver = true;
    this.#bell.ring();
  }

  async #batch(): Promise<string | null> {
    const records = await this.#records();
    const cards = this.#changedCards();
    const texts = this.#words.news(this.#desk.words, this.#followed.keys());
    const lost = this.#lost.splice(0);
    if (records.length + cards.length + texts.length + lost.length === 0) return null;
    const rest = JSON.stringify({ cards, texts, lost });
    return `{"records":[${records.join(',')}],${rest.slice(1)}`;
  }

  #changedCards(): readonly RunCard[] {
    const changed = [...this.#cards].slice(0, MOST_CARDS);
    for (const root of changed) this.#cards.delete(root);
    if (this.#cards.size > 0) this.#bell.ring();
    return changed.map((root) => this.#desk.cards.card(root)).filter((card) => card !== null);
  }

  async #records(): Promise<readonly string[]> {
    const found: Placed[] = [];
    let bytes = 0;
    for (const [run, followed] of this.#inTurn()) {
      const texts = await this.#newsOf(run, followed);
      let key = -Infinity;
      for (const { at, text } of texts) {
        key = Math.max(key, at);
        bytes += text.length;
        found.push({ key, text });
      }
      this.#reach(run, followed, texts);
      if (bytes <= BATCH_BYTES) continue;
      this.#turns.set(rootRunId(run), (this.#turn += 1));
      this.#bell.ring();
      break;
    }
    // By time, and each run in its own order even where a clock was set back.
    return found.sort((a, b) => a.key - b.key).map(({ text }) => text);
  }

  async #newsOf(run: RunId, { following, reached }: Followed): Promise<readonly RecordText[]> {
    try {
      if (following.reader.loss !== null) throw following.reader.loss.error;
      return (
        following.reader.recentAfter(reached) ??
        (await readTexts(this.#desk.journal, { run, after: reached }, { records: 500, bytes: BATCH_BYTES }))
      );
    } catch (error) {
      this.#lose(run, error);
      return [];
    }
  }

  /** A run that filled a batch comes last in the next, so that a long history does not delay the others. */
  #inTurn(): readonly (readonly [RunId, Followed])[] {
    const turnOf = (run: RunId): number => this.#turns.get(rootRunId(run)) ?? 0;
    return [...this.#followed].sort(([a], [b]) => turnOf(a) - turnOf(b));
  }

  #reach(run: RunId, followed: Followed, texts: readonly RecordText[]): void {
    const last = texts.at(-1);
    if (last === undefined || this.#followed.get(run) !== followed) return;
    followed.reached = last.seq;
    if (followed.following.reader.tip > last.seq) this.#bell.ring();
  }
}

interface Followed {
  readonly following: Following;
  reached: number;
}

interface Placed {
  readonly key: number;
  readonly text: string;
}

const EVERY_MS = 40;
const BATCH_BYTES = 1024 * 1024;
const FIRST_CARDS = 200;
const MOST_CARDS = 500;
