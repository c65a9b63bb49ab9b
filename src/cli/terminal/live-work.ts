import { durationText } from '../../core/amount-text.ts';
import type { Progress } from '../../app/world/progress.ts';
import { progressText, doneText, isSamePlace } from './progress.ts';

/** Long work as lines that are rewritten while it goes on, with how long it has taken. What took long leaves a line behind. */
export class LiveWork {
  readonly #active = new Map<number, { readonly progress: Progress; readonly since: number }>();
  readonly #redraw: () => void;
  #ticking: NodeJS.Timeout | null = null;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** The line that stays, if there is one. */
  take(progress: Progress): string | null {
    if (progress.state === 'started') {
      this.#active.set(progress.id, { progress, since: Date.now() });
      this.#ticking ??= setInterval(this.#redraw, SECOND).unref();
      return null;
    }
    this.#active.delete(progress.id);
    if (this.#active.size === 0) this.rest();
    return progress.what === 'setup' || (progress.ms ?? 0) >= SECOND ? doneText(progress) : null;
  }

  lines(): readonly string[] {
    const all = [...this.#active.values()];
    // The setup of a workspace is a part of making it.
    const isPart = (one: Progress, other: Progress): boolean =>
      one.what === 'workspace' && other.what === 'setup' && isSamePlace(one, other);
    const shown = all.filter(({ progress }) => !all.some((other) => isPart(progress, other.progress)));
    return shown.map(({ progress, since }) => {
      const taken = Date.now() - since;
      return `• troupe  ${progressText(progress)} … ${taken < SECOND ? '' : durationText(taken)}`.trimEnd();
    });
  }

  rest(): void {
    if (this.#ticking !== null) clearInterval(this.#ticking);
    this.#ticking = null;
  }
}

const SECOND = 1000;
