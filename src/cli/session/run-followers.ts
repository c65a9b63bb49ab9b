import type { RunId } from '../../core/ids.ts';
import type { LiveEvent } from '../../host/port.ts';
import type { FeedJournal } from '../logs/run-feed.ts';
import type { Environment } from '../../telemetry/wants-telemetry.ts';

export interface FollowerOptions {
  readonly home: string;
  readonly journal: FeedJournal;
  readonly environment: Environment;
  readonly version: string;
  readonly tell: (sentence: string) => void;
}

interface Follower {
  heard(event: LiveEvent): void;
  touched(run: RunId): void;
  close(): Promise<void>;
}

/** Those who tell the world beside the journal what runs do: logs and traces. Loaded when there is something to tell. */
export class RunFollowers {
  readonly #options: FollowerOptions;
  #loading: Promise<readonly Follower[]> | null = null;
  #loaded: readonly Follower[] | null = null;
  #waiting: ((follower: Follower) => void)[] = [];

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record') this.#hand((follower) => follower.heard(event));
  }

  /** Records of this run were written without a word. */
  touched(run: RunId): void {
    this.#hand((follower) => follower.touched(run));
  }

  async close(): Promise<void> {
    const followers = (await this.#loading) ?? [];
    await Promise.all(followers.map((follower) => follower.close()));
  }

  #hand(news: (follower: Follower) => void): void {
    if (this.#loaded !== null) {
      for (const follower of this.#loaded) news(follower);
      return;
    }
    this.#waiting.push(news);
    this.#loading ??= this.#load().catch((error: unknown) => this.#without(error));
  }

  #without(error: unknown): readonly Follower[] {
    const why = error instanceof Error ? error.message : String(error);
    this.#options.tell(`no logs are written (${why}); the journal has all of it`);
    this.#waiting = [];
    return (this.#loaded = []);
  }

  async #load(): Promise<readonly Follower[]> {
    const { LogWriter } = await import('../logs/log-writer.ts');
    const followers: Follower[] = [new LogWriter(this.#options)];
    // Nothing that has to do with traces is loaded where nobody has ever named a collector.
    if (Object.keys(this.#options.environment).some((name) => name.startsWith('OTEL_EXPORTER_OTLP_'))) {
      const { openTraceWriter } = await import('../logs/trace-writer.ts');
      const traces = openTraceWriter(this.#options);
      if (traces !== null) followers.push(traces);
    }
    for (const news of this.#waiting) for (const follower of followers) news(follower);
    this.#waiting = [];
    this.#loaded = followers;
    return followers;
  }
}
