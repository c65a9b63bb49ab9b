/** Which definition a run has, and what its files give now (ST5). */
export interface DefinitionView {
  /** Of the definition it goes by; the same for all runs that began with the same. */
  readonly hash: string;
  /** The record since which it has this one, where it began with another. */
  readonly since?: number;
  /**
   * `same`: the files still say so. `changed`: they give another one. `gone`, `broken`: they give none. `unread`: it is code,
   * other than before, which was not run to look at it.
   */
  readonly state: 'same' | 'changed' | 'gone' | 'broken' | 'unread';
  readonly file?: string;
  /** The files that made the difference. */
  readonly files?: readonly string[];
  /** What is another one now, or what is wrong, a line each. */
  readonly changes?: readonly string[];
}
