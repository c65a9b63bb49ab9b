import type { ReviewFinding } from '../../../src/core/review/finding.ts';

/** Which version of a file: `old` is what it was compared with. */
export type Side = 'new' | 'old';

export interface LinePlace {
  /** 0: above all lines of the file. */
  readonly line: number;
  readonly side: Side;
}

export interface NotePlace extends LinePlace {
  readonly path: string;
}

/** What stands under a line of a diff: what a reviewer says of it, what a person is about to say, or two pictures. */
export type NoteOnLine =
  | { readonly kind: 'finding'; readonly run: string; readonly finding: ReviewFinding }
  | { readonly kind: 'comment' }
  | { readonly kind: 'picture' };

export interface LineNote extends LinePlace {
  readonly note: NoteOnLine;
}
