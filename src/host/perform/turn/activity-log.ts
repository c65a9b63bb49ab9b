import type { Activity } from '../../../core/record/agent-fact.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import type { EffectContext } from '../../world.ts';

/** How long activities are collected, so that a busy client does not fill the journal with single lines. */
const PAUSE_MS = 1000;
const MOST_ITEMS = 200;

/** Records a client's activities in batches; of an activity that changed twice meanwhile, only its latest state. */
export class ActivityLog {
  readonly #context: EffectContext;
  readonly #task: TaskId;
  readonly #pending = new Map<string, Activity>();
  #alarm: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(context: EffectContext, task: TaskId) {
    this.#context = context;
    this.#task = task;
  }

  add(activity: Activity): void {
    const before = this.#pending.get(activity.id);
    this.#pending.set(activity.id, { ...before, ...activity });
    if (this.#pending.size >= MOST_ITEMS) return void this.flush();
    const { clock } = this.#context.world;
    this.#alarm ??= clock.alarm(clock.now() + PAUSE_MS, () => void this.flush());
  }

  /** Resolves when all reported activities are durable, or can no longer be written. */
  flush(): Promise<void> {
    this.#alarm?.();
    this.#alarm = null;
    const items = [...this.#pending.values()];
    this.#pending.clear();
    if (items.length > 0) {
      const fact = { kind: 'activity.noted', task: this.#task, items } as const;
      // A run that is released meanwhile keeps what it has; the lines themselves are in a separate log.
      this.#writing = this.#writing.then(() => this.#context.noteNow(fact)).catch(() => undefined);
    }
    return this.#writing;
  }
}
