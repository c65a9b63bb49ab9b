import type { PlacedFindings, RunFinding } from '../../formats/notes.ts';
import { type DiffFile, isPicture } from './diff-files.ts';

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

/** A note under a line of a diff: a finding, a comment being written, or two pictures. */
export type NoteOnLine =
  | ({ readonly kind: 'finding' } & RunFinding)
  | { readonly kind: 'comment' }
  | { readonly kind: 'picture' };

export interface LineNote extends LinePlace {
  readonly note: NoteOnLine;
}

interface Sources {
  readonly placed: PlacedFindings;
  readonly files: readonly DiffFile[];
  /** Where a comment is being written. */
  readonly commented: NotePlace | null;
}

/** The notes of each file, by its path. */
export function notesOnFile({ placed, files, commented }: Sources): ReadonlyMap<string, readonly LineNote[]> {
  const found = files.map(({ path, ...file }): readonly [string, readonly LineNote[]] => [
    path,
    [
      ...(isPicture({ path, ...file }) ? [PICTURE] : []),
      ...(placed.byPath.get(path) ?? []).map(({ run, finding, line }): LineNote => ({
        line,
        side: 'new',
        note: { kind: 'finding', run, finding },
      })),
      ...(commented?.path === path ? [commentAt(commented)] : []),
    ],
  ]);
  return new Map(found.filter(([, notes]) => notes.length > 0));
}

const PICTURE: LineNote = { line: 0, side: 'new', note: { kind: 'picture' } };

const commentAt = ({ line, side }: NotePlace): LineNote => ({ line, side, note: { kind: 'comment' } });
