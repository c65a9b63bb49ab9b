import type { RunId } from '../../core/model/ids.ts';
import type { LiveEvent } from '../../host/port.ts';
import type { Environment } from '../../telemetry/telemetry-settings.ts';
import { LogWriter } from './logs/log-writer.ts';
import type { TreeJournal } from '../runs/tree-reader.ts';
import { FigureKeeper } from './metrics/kept-figures.ts';
import { LiveWords } from './live-words.ts';

export interface FollowerOptions {
  readonly home: string;
  readonly journal: TreeJournal;
  readonly environment: Environment;
  readonly version: string;
  readonly tell: (sentence: string) => void;
}

interface Follower {
  heard(event: LiveEvent): void;
  touched(run: RunId): void;
  close(): Promise<void>;
}

/** Those who tell the world beside the journal what runs do: logs, words for those who listen, and traces where somebody wants them. */
export class RunFollowers {
  readonly #options: FollowerOptions;
  readonly #logs: LogWriter;
  readonly #words: LiveWords;
  readonly #figures: FigureKeeper;
  /** Loaded with the first record; records that come meanwhile wait. Null: no traces are configured. */
  #traces: Promise<Follower | null> | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#logs = new LogWriter(options);
    this.#words = new LiveWords(options);
    this.#figures = new FigureKeeper(options);
  }

  heard(event: LiveEvent): void {
    this.#words.heard(event);
    if (event.kind === 'record') this.#hand((follower) => follower.heard(event));
  }

  /** Records of this run were written without a word. */
  touched(run: RunId): void {
    this.#hand((follower) => follower.touched(run));
  }

  async close(): Promise<void> {
    const traces = await this.#traces;
    await Promise.all([this.#logs.close(), this.#words.close(), this.#figures.close(), traces?.close()]);
  }

  #hand(news: (follower: Follower) => void): void {
    news(this.#logs);
    news(this.#figures);
    if (!this.#mayTrace()) return;
    this.#traces = (this.#traces ?? this.#openTraces()).then((traces) => {
      if (traces !== null) news(traces);
      return traces;
    });
  }

  /** Loads the code for traces only if a collector is configured. */
  #mayTrace(): boolean {
    return Object.keys(this.#options.environment).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'));
  }

  async #openTraces(): Promise<Follower | null> {
    try {
      const { openTraceWriter } = await import('./logs/trace-writer.ts');
      return openTraceWriter(this.#options);
    } catch (error) {
      this.#options.tell(`no traces are sent: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}
