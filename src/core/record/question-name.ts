import { toArray, type AppendList } from '../model/append-list.ts';
import type { Pause } from '../fold/snapshot.ts';

/**
 * A question's short name: `q1` for the first that a run ever asked, `q2` for the second. The journal decides the order, so
 * a name never changes and is never reused, whatever is answered or rolled back.
 */
export function questionName(asked: AppendList<string>, id: string): string {
  const place = toArray(asked).lastIndexOf(id);
  return place < 0 ? id : numberedName(place + 1);
}

export const numberedName = (number: number): string => `q${number}`;

/** Whether a word can only be such a name: of this run, or with the path to a run below it, as in `t3/q1`. */
export const isQuestionName = (word: string): boolean => /^(?:\S+\/)?q[1-9]\d*$/.test(word);

/** The id of the question a pause asks; the next pause at the same limit asks another one. */
export const limitQuestion = (paused: Pick<Pause, 'limit' | 'seq'>): string => `limit/${paused.limit}/${paused.seq}`;
