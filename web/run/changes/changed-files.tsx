import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { CommentForm } from './comment-form.tsx';
import type { DiffFile } from './diff-files.ts';
import { type ComparedTrees, lineText } from './whole-files.ts';
import { PictureNote } from './picture-note.tsx';
import { type LineNote, type NotePlace, notesOnFile } from './notes-on-file.ts';
import { FindingNote, FindingsElsewhere, areSameFindings, findingsOf, placeFindings } from '../../formats/notes.ts';
import { reviewedMarks } from './reviewed-marks.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';
import { Check, ChevronDown, ChevronRight, MessageSquarePlus } from 'lucide-react';
import { classNames, IconButton } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { Badge } from '../../ui/marks.tsx';
import { counted } from '../../../src/protocol/amounts.ts';

interface FileHeaderProps {
  readonly file: DiffFile;
  readonly isFolded: boolean;
  readonly isReviewed: boolean;
  readonly onFold: (isFolded: boolean) => void;
  readonly onReviewed: (isReviewed: boolean) => void;
  readonly onComment: () => void;
}

/** Above a file's lines, and there while they are scrolled. */
function FileHeader({ file, isFolded, isReviewed, onFold, onReviewed, onComment }: FileHeaderProps): ReactNode {
  const { path, note, isLarge } = file;
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  const name = visibleText(path);
  return (
    <div className="flex h-9 min-w-0 items-center gap-2 border-y border-line bg-surface pr-2 pl-1 font-sans text-base text-text">
      <IconButton
        label={`${isFolded ? 'Unfold' : 'Fold'} ${name}`}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
      >
        <Chevron size={14} aria-hidden />
      </IconButton>
      <span className="min-w-0 truncate font-mono text-sm font-medium" dir="ltr" title={name}>
        {name}
      </span>
      <ChangeCounts file={file} />
      <span className="min-w-0 flex-1 truncate text-sm text-muted">
        {note ?? (isLarge && isFolded ? 'A large change; unfold it to see it.' : '')}
      </span>
      <IconButton label={`Comment on ${name}`} onClick={onComment}>
        <MessageSquarePlus size={14} aria-hidden />
      </IconButton>
      <label className="flex shrink-0 cursor-pointer items-center gap-1.5 text-sm text-muted select-none">
        <input
          type="checkbox"
          className="accent-(--accent)"
          checked={isReviewed}
          onChange={(event) => onReviewed(event.target.checked)}
          aria-label={`Reviewed ${name}`}
        />
        <span aria-hidden className="max-sm:hidden">
          Reviewed
        </span>
      </label>
    </div>
  );
}

interface FileListProps {
  readonly files: readonly DiffFile[];
  readonly reviewed: ReadonlySet<string>;
  /** By path. */
  readonly findings: ReadonlyMap<string, readonly unknown[]>;
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** More than this is not a list any more. */
const MOST = 400;

function FileList({ files, reviewed, findings, chosen, onChoose }: FileListProps): ReactNode {
  return (
    <ul aria-label="Changed files" className="max-h-[25%] min-h-9 shrink-0 overflow-y-auto border-b border-line py-1">
      {files.slice(0, MOST).map((file) => (
        <li key={file.path}>
          <button
            type="button"
            aria-current={file.path === chosen || undefined}
            onClick={() => onChoose(file.path)}
            className={classNames(
              'flex w-full min-w-0 items-center gap-2 px-3 py-0.5 text-left -outline-offset-2 hover:bg-hover',
              file.path === chosen && 'bg-accent-soft',
            )}
          >
            <span className="w-3.5 shrink-0 text-ok">
              {reviewed.has(file.key) && <Check size={13} aria-label="reviewed" />}
            </span>
            <Name path={file.path} />
            <FindingCount count={findings.get(file.path)?.length ?? 0} />
            <span className="flex-1" />
            <ChangeCounts file={file} />
          </button>
        </li>
      ))}
      {files.length > MOST && <li className="px-3 text-sm text-muted">… and {files.length - MOST} more below.</li>}
    </ul>
  );
}

function Name({ path }: { readonly path: string }): ReactNode {
  const cut = path.startsWith('"') ? -1 : path.lastIndexOf('/');
  return (
    <span className="truncate font-mono text-sm" dir="ltr">
      <span className="text-muted">{visibleText(path.slice(0, cut + 1))}</span>
      {visibleText(path.slice(cut + 1))}
    </span>
  );
}

function FindingCount({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return <Badge tone="warn">{counted(count, 'finding')}</Badge>;
}

interface Folds {
  readonly folded: ReadonlySet<string>;
  readonly fold: (path: string, isFolded: boolean) => void;
}

/** Folds files that were read, and large ones until they are opened. */
function useFolds(files: readonly DiffFile[], marks: ReadonlySet<string>): Folds {
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

const DiffView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }));

interface ChangedFilesProps {
  readonly trees: ComparedTrees;
  readonly chosen: WorkspaceChoice;
  readonly files: readonly DiffFile[];
  readonly marks: ReadonlySet<string>;
  readonly isSplit: boolean;
}

export function ChangedFiles({ trees, chosen, files, marks, isSplit }: ChangedFilesProps): ReactNode {
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
