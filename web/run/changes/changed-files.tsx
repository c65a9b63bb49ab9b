import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { CommentForm } from './comment-form.tsx';
import type { DiffFile } from './diff-files.ts';
import { lineText } from './diff-lines.ts';
import { FileHeader } from './file-header.tsx';
import { FileList } from './file-list.tsx';
import { FindingNote } from './finding-note.tsx';
import { FindingsElsewhere } from './findings-elsewhere.tsx';
import { areSameFindings, findingsOf, placeFindings } from './findings-of.ts';
import type { NotePlace, LineNote } from './line-note.ts';
import { notesOnFile } from './notes-of.ts';
import { PictureNote } from './picture-note.tsx';
import { reviewedMarks } from './reviewed-marks.ts';
import { useFolds } from './use-folds.ts';
import type { ComparedTrees } from './whole-files.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';

const DiffView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }));

interface Props {
  readonly trees: ComparedTrees;
  readonly chosen: WorkspaceChoice;
  readonly files: readonly DiffFile[];
  readonly marks: ReadonlySet<string>;
  readonly isSplit: boolean;
}

export function ChangedFiles({ trees, chosen, files, marks, isSplit }: Props): ReactNode {
  const [selection] = useSelection();
  const [commented, setCommented] = useState<NotePlace | null>(null);
  const { folded, fold } = useFolds(files, marks);
  const findings = useTree((tree) => findingsOf(tree, chosen), areSameFindings);
  const placed = useMemo(() => placeFindings(findings, files), [findings, files]);
  const notes = useMemo(() => notesOnFile({ placed, files, commented }), [placed, files, commented]);
  const [place, onPlace] = usePlace();
  const review = (file: DiffFile, isReviewed: boolean): void => {
    reviewedMarks.set(trees.run, file.key, isReviewed);
    fold(file.path, isReviewed);
  };
  const comment = ({ path }: DiffFile): void => {
    fold(path, false);
    setCommented(place?.path === path ? place : { path, line: 0, side: 'new' });
  };
  const header = (file: DiffFile): ReactNode => (
    <FileHeader
      file={file}
      isFolded={folded.has(file.path)}
      isReviewed={marks.has(file.key)}
      onFold={(isFolded) => fold(file.path, isFolded)}
      onReviewed={(isReviewed) => review(file, isReviewed)}
      onComment={() => comment(file)}
    />
  );
  return (
    <>
      <FileList
        {...{ files, reviewed: marks, findings: placed.byPath, chosen: selection.file }}
        onChoose={(path) => onPlace({ path, line: 0, side: 'new' })}
      />
      <FindingsElsewhere findings={placed.elsewhere} />
      <Suspense fallback={<p className="p-4 text-muted">Loading …</p>}>
        <DiffView
          {...{ files, notes, folded, isSplit, place, trees, onPlace }}
          onComment={setCommented}
          renderHeader={header}
          renderNote={(note, file) => <Under {...{ note, file, chosen, trees }} onClose={() => setCommented(null)} />}
        />
      </Suspense>
    </>
  );
}

/** The line that the address says. */
function usePlace(): readonly [NotePlace | null, (place: NotePlace) => void] {
  const [{ file, line = 0, side }, select] = useSelection();
  const isOld = side === 'old';
  const place = useMemo(
    (): NotePlace | null => (file === undefined ? null : { path: file, line, side: isOld ? 'old' : 'new' }),
    [file, line, isOld],
  );
  const onPlace = useCallback(
    (next: NotePlace) =>
      select({
        file: next.path,
        line: next.line === 0 ? undefined : next.line,
        side: next.side === 'old' ? 'old' : undefined,
      }),
    [select],
  );
  return [place, onPlace];
}

interface UnderProps {
  readonly note: LineNote;
  readonly file: DiffFile;
  readonly chosen: WorkspaceChoice;
  readonly trees: ComparedTrees;
  readonly onClose: () => void;
}

function Under({ note: { note, ...at }, file, chosen, trees, onClose }: UnderProps): ReactNode {
  if (note.kind === 'finding') return <FindingNote run={note.run} finding={note.finding} />;
  if (note.kind === 'picture') return <PictureNote file={file} trees={trees} />;
  const place = { ...at, path: file.path, code: lineText(file, at) };
  return <CommentForm place={place} agents={chosen.agents} onClose={onClose} />;
}
