import type { Activity } from '../../../core/record/agent-fact.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import type { Performance } from '../../world.ts';

/** How long news of a client may wait, so that a busy one does not fill the journal with single lines. */
const PAUSE_MS = 1000;
const MOST_ITEMS = 200;

/** What a client does, written down in bundles: of one thing that moved on twice meanwhile, only where it is now. */
export class ActivityLog {
  readonly #performance: Performance;
  readonly #task: TaskId;
  readonly #pending = new Map<string, Activity>();
  #alarm: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(performance: Performance, task: TaskId) {
    this.#performance = performance;
    this.#task = task;
  }

  add(activity: Activity): void {
    const before = this.#pending.get(activity.id);
    this.#pending.set(activity.id, { ...before, ...activity });
    if (this.#pending.size >= MOST_ITEMS) return void this.flush();
    const { clock } = this.#performance.world;
    this.#alarm ??= clock.alarm(clock.now() + PAUSE_MS, () => void this.flush());
  }

  /** Resolves when all that was told so far is durable, or nobody can write any more. */
  flush(): Promise<void> {
    this.#alarm?.();
    this.#alarm = null;
    const items = [...this.#pending.values()];
    this.#pending.clear();
    if (items.length > 0) {
      const fact = { kind: 'activity.noted', task: this.#task, items } as const;
      // A run that is let go meanwhile keeps what it has; the lines themselves are kept beside the journal.
      this.#writing = this.#writing.then(() => this.#performance.noteNow(fact)).catch(() => undefined);
    }
    return this.#writing;
  }
}
