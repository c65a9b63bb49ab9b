import { useSyncExternalStore } from 'react';
import { Watched } from '../../model/watched.ts';

const KEPT = 500;

/** Which changes a person has read, kept in this browser. A file that changes gets a new key, so it must be read again. */
class ReviewedMarks extends Watched {
  readonly #known = new Map<string, ReadonlySet<string>>();

  readonly of = (run: string): ReadonlySet<string> => {
    const known = this.#known.get(run) ?? new Set(kept(run));
    this.#known.set(run, known);
    return known;
  };

  set(run: string, key: string, isRead: boolean): void {
    const others = [...this.of(run)].filter((one) => one !== key);
    const marks = isRead ? [...others, key].slice(-KEPT) : others;
    this.#known.set(run, new Set(marks));
    localStorage.setItem(nameOf(run), JSON.stringify(marks));
    this.notify();
  }
}

const nameOf = (run: string): string => `troupe-reviewed-${run}`;

function kept(run: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(nameOf(run)) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export const reviewedMarks = new ReviewedMarks();

export const useReviewed = (run: string): ReadonlySet<string> =>
  useSyncExternalStore(reviewedMarks.subscribe, () => reviewedMarks.of(run));
