import { isPicture, type DiffFile } from './diff-files.ts';
import type { PlacedFindings } from './findings-of.ts';
import type { NotePlace, LineNote } from './line-note.ts';

interface Sources {
  readonly placed: PlacedFindings;
  readonly files: readonly DiffFile[];
  /** Where a comment is being written. */
  readonly commented: NotePlace | null;
}

/** What stands under the lines of each file, by its path. */
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
