import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Finding } from '../../../src/core/review/finding.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { CommentForm } from './comment-form.tsx';
import { lineText, type DiffFile } from './diff-files.ts';

import { FileHeader } from './file-header.tsx';
import { FileList } from './file-list.tsx';
import { FindingNote } from './finding-note.tsx';
import { areSameFindings, findingsOf, placeFindings, type PlacedFindings } from './findings-of.ts';
import type { LineNote, Note } from './line-note.ts';
import { reviewedMarks } from './reviewed-marks.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';

const DiffView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }));

interface Props {
  readonly run: string;
  readonly chosen: WorkspaceChoice;
  readonly files: readonly DiffFile[];
  readonly marks: ReadonlySet<string>;
  readonly isSplit: boolean;
}

export function ChangedFiles({ run, chosen, files, marks, isSplit }: Props): ReactNode {
  const [selection, select] = useSelection();
  const [commented, setCommented] = useState<FilePlace | null>(null);
  const { folded, fold } = useFolds(files, marks);
  const findings = useTree((tree) => findingsOf(tree, chosen), areSameFindings);
  const placed = useMemo(() => placeFindings(findings, files), [findings, files]);
  const notes = useMemo(() => notesOf(placed, commented), [placed, commented]);
  const place = usePlace();
  const onPlace = useCallback(
    (file: string, line: number) => select({ file, line: line === 0 ? undefined : line }),
    [select],
  );
  const onComment = useCallback((path: string, line: number) => setCommented({ path, line }), []);
  const review = (file: DiffFile, isReviewed: boolean): void => {
    reviewedMarks.set(run, file.key, isReviewed);
    fold(file.path, isReviewed);
  };
  const comment = ({ path }: DiffFile): void => {
    fold(path, false);
    onComment(path, place?.path === path ? place.line : 0);
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
        onChoose={(path) => onPlace(path, 0)}
      />
      <Elsewhere findings={placed.elsewhere} />
      <Suspense fallback={<p className="p-4 text-muted">Loading …</p>}>
        <DiffView
          {...{ files, notes, folded, isSplit, place, onPlace, onComment }}
          renderHeader={header}
          renderNote={(note, file) => (
            <Under note={note} file={file} chosen={chosen} onClose={() => setCommented(null)} />
          )}
        />
      </Suspense>
    </>
  );
}

interface FilePlace {
  readonly path: string;
  readonly line: number;
}

function usePlace(): FilePlace | null {
  const [{ file, line = 0 }] = useSelection();
  return useMemo(() => (file === undefined ? null : { path: file, line }), [file, line]);
}

interface UnderProps {
  readonly note: Note;
  readonly file: DiffFile;
  readonly chosen: WorkspaceChoice;
  readonly onClose: () => void;
}

function Under({ note, file, chosen, onClose }: UnderProps): ReactNode {
  if (note.kind === 'finding') return <FindingNote finding={note.finding} />;
  const place = { path: file.path, line: note.line, code: lineText(file, note.line) };
  return <CommentForm place={place} agents={chosen.agents} onClose={onClose} />;
}

function notesOf({ byPath }: PlacedFindings, commented: FilePlace | null): ReadonlyMap<string, readonly LineNote[]> {
  const notes = new Map<string, readonly LineNote[]>(
    [...byPath].map(([path, those]) => [
      path,
      those.map(({ finding, line }) => ({ line, note: { kind: 'finding', finding } })),
    ]),
  );
  if (commented === null) return notes;
  const { path, line } = commented;
  return notes.set(path, [...(notes.get(path) ?? []), { line, note: { kind: 'comment', line } }]);
}

/** What was read is folded, and what is large until it is wanted. */
function useFolds(files: readonly DiffFile[], marks: ReadonlySet<string>) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const folded = useMemo(
    () =>
      new Set(
        files
          .filter(({ path, key, isLarge }) => chosen.get(path) ?? (isLarge || marks.has(key)))
          .map(({ path }) => path),
      ),
    [files, chosen, marks],
  );
  const fold = (path: string, isFolded: boolean): void => setChosen((before) => new Map(before).set(path, isFolded));
  return { folded, fold };
}

function Elsewhere({ findings }: { readonly findings: readonly Finding[] }): ReactNode {
  const [, select] = useSelection();
  if (findings.length === 0) return null;
  return (
    <p className="shrink-0 border-b border-line px-3 py-1 text-sm text-muted">
      {findings.length === 1 ? 'One finding is' : `${findings.length} findings are`} about no file shown here:{' '}
      {findings.slice(0, 8).map(({ id }) => (
        <button
          key={id}
          type="button"
          className="mr-1.5 font-mono text-accent underline"
          onClick={() => select({ tab: 'debate', finding: id })}
        >
          {id}
        </button>
      ))}
    </p>
  );
}
