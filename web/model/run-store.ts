import type { Definition } from '../../src/core/model/definition.ts';
import type { RecordPage } from '../../src/protocol/web/record-page.ts';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { emptyTree, takeLines, takeTexts, withDefinition, withDriven, type RunTree } from './run-tree.ts';
import { Watched } from './watched.ts';
import { isRunWithin } from '../../src/core/model/ids.ts';

/** Where the store reads from; tests give their own. */
export interface RunSource {
  tree(root: string): Promise<readonly { readonly run: string; readonly parent: string | null }[]>;
  page(run: string, after: number): Promise<RecordPage>;
  definition(run: string): Promise<Definition>;
  /** Follows the one stream of this browser; `cursor` is called at each reconnection. */
  follow(root: string, cursor: () => Readonly<Record<string, number>>, heard: (batch: StreamBatch) => void): () => void;
}

/**
 * One run with everything below it: history page by page, then what comes. Lines from both ways meet in `takeLines`, which
 * takes each once; a gap is read from the journal again.
 */
export class RunStore extends Watched {
  readonly #source: RunSource;
  readonly #now: () => number;
  readonly #reading = new Map<string, Promise<void>>();
  /** By their hash: child runs mostly share one. */
  readonly #definitions = new Map<string, Promise<Definition>>();
  /** By run: the hash of the definition it has or waits for. A run may continue with another one. */
  readonly #wanted = new Map<string, string>();
  #tree: RunTree;
  #stop: (() => void) | null = null;
  #isAnnounced = false;
  #isResting = false;
  /** When listeners were notified last, or when it was opened. */
  #shownAt = 0;

  constructor(root: string, source: RunSource, now: () => number = () => performance.now()) {
    super();
    this.#source = source;
    this.#now = now;
    this.#tree = emptyTree(root);
  }

  readonly get = (): RunTree => this.#tree;

  /** Begins to read, then follows from where that came to; returns the end of it. */
  open(): () => void {
    const closing = new AbortController();
    this.#shownAt = this.#now();
    void this.#load(closing.signal);
    return () => {
      closing.abort();
      this.#stop?.();
      this.#stop = null;
    };
  }

  /** By what the server says of the run's process, now and whenever that changes. */
  setDriven(isDriven: boolean | null, queued: RunTree['queued']): void {
    this.#set(withDriven(this.#tree, isDriven, queued));
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { root } = this.#tree;
    try {
      const [runs] = await Promise.all([this.#source.tree(root), this.#catchUp(root)]);
      const below = runs.map(({ run }) => run).filter((run) => run !== root);
      for (let at = 0; at < below.length && !signal.aborted; at += AT_ONCE) {
        await Promise.all(below.slice(at, at + AT_ONCE).map((run) => this.#catchUp(run)));
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (signal.aborted) return;
    this.#set({ ...this.#tree, isLoaded: true });
    this.#stop = this.#source.follow(
      root,
      () => this.#cursor(),
      (batch) => this.#hear(batch),
    );
  }

  #cursor(): Readonly<Record<string, number>> {
    const known = [...this.#tree.runs.values()].map(({ run, count }) => [run, count] as const);
    return { [this.#tree.root]: 0, ...Object.fromEntries(known) };
  }

  /** The stream is of all that anybody looks at: what is of other runs changes nothing here. */
  #hear({ records, texts, lost }: StreamBatch): void {
    const isOwn = ({ run }: { readonly run: string }): boolean => isRunWithin(run, this.#tree.root);
    const own = { records: records.filter(isOwn), texts: texts.filter(isOwn), lost: lost.filter(isOwn) };
    if (own.records.length + own.texts.length + own.lost.length === 0) return;
    try {
      this.#follow(own);
    } catch (error) {
      this.#fail(error);
    }
  }

  #follow({ records, texts, lost }: Pick<StreamBatch, 'records' | 'texts' | 'lost'>): void {
    const { tree, gaps } = takeLines(this.#tree, records);
    this.#set({ ...(texts.length === 0 ? tree : takeTexts(tree, texts)), failure: lost[0] ?? tree.failure });
    for (const run of gaps) this.#catchUp(run).catch((error: unknown) => this.#fail(error));
    for (const run of new Set(records.map((line) => line.run))) this.#wantDefinition(run);
  }

  /** One at a time for each run: a second wish while one is under way is the same wish. */
  #catchUp(run: string): Promise<void> {
    const under = this.#reading.get(run);
    if (under !== undefined) return under;
    const reading = this.#readOn(run).finally(() => this.#reading.delete(run));
    this.#reading.set(run, reading);
    return reading;
  }

  async #readOn(run: string): Promise<void> {
    let coming: Promise<RecordPage> | null = this.#source.page(run, this.#tree.runs.get(run)?.count ?? 0);
    while (coming !== null) {
      const { records, after }: RecordPage = await coming;
      // Asked for at once, so that the server reads on while this page is folded.
      coming = after === null ? null : this.#source.page(run, after);
      coming?.catch(() => undefined);
      this.#take(takeLines(this.#tree, records).tree);
    }
    this.#wantDefinition(run);
  }

  /** Every page of a long history drawn would take longer than to read it: while there is more, one is shown now and then. */
  #take(tree: RunTree): void {
    const isSoon = this.#now() - this.#shownAt < SHOWN_EVERY_MS;
    if (tree.isLoaded || !isSoon) this.#set(tree);
    else this.#tree = tree;
  }

  #wantDefinition(run: string): void {
    const known = this.#tree.runs.get(run);
    const hash = known?.snapshot.definition;
    if (hash === undefined || this.#wanted.get(run) === hash) return;
    this.#wanted.set(run, hash);
    const asked = this.#definitions.get(hash) ?? this.#source.definition(run);
    this.#definitions.set(hash, asked);
    asked.then(
      (definition) => this.#wanted.get(run) === hash && this.#set(withDefinition(this.#tree, run, definition)),
      () => {
        this.#definitions.delete(hash);
        this.#wanted.delete(run);
      },
    );
  }

  #fail(error: unknown): void {
    const { code, message = String(error), hint } = error as Partial<Failing>;
    if (code !== undefined) {
      this.#set({ ...this.#tree, failure: { code, message, ...(hint === undefined ? {} : { hint }) } });
      return;
    }
    this.#set({ ...this.#tree, failure: { code: 'PAGE_FAILED', message: `${UNREADABLE} (${message})` } });
    // What cannot be taken now cannot be taken the next time either.
    this.#stop?.();
    this.#stop = null;
  }

  /** Changes of one moment are announced once. */
  #set(tree: RunTree): void {
    this.#tree = tree;
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    if (!this.#isResting) queueMicrotask(() => this.#tell());
  }

  /** After a slow drawing, updates wait as long again: else a slow machine would only draw and the page would be stuck. */
  #tell(): void {
    this.#isAnnounced = false;
    this.#isResting = true;
    this.#shownAt = this.#now();
    this.notify();
    setTimeout(() => {
      const took = this.#now() - this.#shownAt;
      setTimeout(() => this.#rested(), took > SLOW_MS ? Math.min(took, LONGEST_REST_MS) : 0);
    });
  }

  #rested(): void {
    this.#isResting = false;
    if (this.#isAnnounced) this.#tell();
  }
}

/** Runs read side by side: a browser has six connections for a server, and one of them is the stream. */
const AT_ONCE = 4;

const SHOWN_EVERY_MS = 400;

const SLOW_MS = 60;
const LONGEST_REST_MS = 500;

/** A server that was renewed under an open page may say what the page has never heard of. */
const UNREADABLE = 'The page does not understand this run: reload it.';

interface Failing {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}
