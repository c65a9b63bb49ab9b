import type { Finding } from '../../../src/core/review/finding.ts';

/** What stands under a line of a diff: what a reviewer says of it, or what a person is about to say. */
export type Note =
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'comment'; readonly line: number };

export interface LineNote {
  /** 0: above all lines of the file. */
  readonly line: number;
  readonly note: Note;
}
