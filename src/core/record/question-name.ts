import { toArray, type AppendList } from '../model/append-list.ts';
import type { Pause } from '../fold/snapshot.ts';

/**
 * What people call a question: `q1` for the first that a run ever asked, `q2` for the second. The journal says which came
 * first, so a name never changes and is never given again, whatever is answered meanwhile or put back.
 */
export function questionName(asked: AppendList<string>, id: string): string {
  const place = toArray(asked).lastIndexOf(id);
  return place < 0 ? id : numberedName(place + 1);
}

export const numberedName = (number: number): string => `q${number}`;

/** Whether a word can only be such a name: of this run, or with the way to one below it, as in `t3/q1`. */
export const isQuestionName = (word: string): boolean => /^(?:\S+\/)?q[1-9]\d*$/.test(word);

/** The id of the question a pause asks; the next pause at the same limit asks another one. */
export const limitQuestion = (paused: Pick<Pause, 'limit' | 'seq'>): string => `limit/${paused.limit}/${paused.seq}`;
