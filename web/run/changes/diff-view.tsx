import type { DiffLineAnnotation } from '@pierre/diffs';
import { CodeView, WorkerPoolContextProvider, type CodeViewHandle } from '@pierre/diffs/react';
// oxlint-disable-next-line import/default -- made by Vite
import HighlightWorker from '@pierre/diffs/worker/worker.js?worker';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useShownTheme } from '../../ui/theme-choice.ts';
import type { DiffFile } from './diff-files.ts';
import { CommentButton } from './comment-button.tsx';
import { CODE_THEMES } from './code-themes.ts';
import { placeNow } from './diff-lines.ts';
import { diffOptions, diffSide, SIDES } from './diff-options.ts';
import type { NotePlace, LineNote } from './line-note.ts';
import { parsedDiff } from './parsed-diff.ts';
import { textHash } from '../../../src/core/text-hash.ts';
import { unfoldLines } from './unfold-lines.ts';
import type { ComparedTrees } from './whole-files.ts';

export interface DiffViewProps {
  readonly files: readonly DiffFile[];
  readonly notes: ReadonlyMap<string, readonly LineNote[]>;
  /** Paths whose lines are not shown. */
  readonly folded: ReadonlySet<string>;
  readonly isSplit: boolean;
  /** Shown, and scrolled to when it becomes another one. */
  readonly place: NotePlace | null;
  /** Where the lines between the changes are read from. */
  readonly trees: ComparedTrees;
  readonly onPlace: (place: NotePlace) => void;
  readonly onComment: (place: NotePlace) => void;
  readonly renderHeader: (file: DiffFile) => ReactNode;
  readonly renderNote: (note: LineNote, file: DiffFile) => ReactNode;
}

/** The place that knows the library which draws diffs: colours, words within lines, and only what is in sight. */
export function DiffView(props: DiffViewProps): ReactNode {
  return (
    <WorkerPoolContextProvider
      poolOptions={{ workerFactory: () => new HighlightWorker(), poolSize: 2 }}
      highlighterOptions={{ theme: CODE_THEMES }}
    >
      <Lines {...props} />
    </WorkerPoolContextProvider>
  );
}

function Lines(props: DiffViewProps): ReactNode {
  const { files, notes, folded, isSplit, place, trees, onPlace, onComment, renderHeader, renderNote } = props;
  const themeType = useShownTheme();
  const view = useRef<CodeViewHandle<LineNote, undefined>>(null);
  const byId = useMemo(() => new Map(files.map((file) => [file.path, file])), [files]);
  const items = useMemo(
    () => files.map((file) => itemOf(file, { notes: notes.get(file.path) ?? [], isFolded: folded.has(file.path) })),
    [files, notes, folded],
  );
  const loadDiffFiles = useMemo(() => unfoldLines(trees, byId), [trees, byId]);
  const options = useMemo(
    () => diffOptions({ themeType, isSplit, loadDiffFiles, onPlace: (at) => onPlace(placedIn(byId, at)) }),
    [themeType, isSplit, loadDiffFiles, onPlace, byId],
  );
  useScrollTo(view, place, byId);
  return (
    <CodeView<LineNote>
      ref={view}
      items={items}
      options={options}
      className="diff-view min-h-0 flex-1 overflow-y-auto"
      selectedLines={selectionOf(place, byId)}
      renderCustomHeader={({ id }) => render(byId.get(id), renderHeader)}
      renderGutterUtility={(hovered, { id }) => (
        <CommentButton
          onPress={() => {
            const line = hovered();
            if (line === undefined) return;
            const side = diffSide('side' in line ? line.side : undefined);
            onComment(placedIn(byId, { path: id, line: line.lineNumber, side }));
          }}
        />
      )}
      renderAnnotation={(annotation, _, { id }) =>
        render(byId.get(id), (file) => renderNote(annotation.metadata, file))
      }
    />
  );
}

const render = (file: DiffFile | undefined, draw: (file: DiffFile) => ReactNode): ReactNode =>
  file === undefined ? null : draw(file);

/** On the left of two columns stand lines that were not removed, too. */
function placedIn(files: ReadonlyMap<string, DiffFile>, place: NotePlace): NotePlace {
  const file = files.get(place.path);
  return file === undefined ? place : { ...place, ...placeNow(file, place) };
}

type Place = DiffViewProps['place'];

function selectionOf(place: Place, files: ReadonlyMap<string, DiffFile>) {
  if (place === null || place.line === 0 || !files.has(place.path)) return null;
  return { id: place.path, range: { start: place.line, end: place.line, side: SIDES[place.side] } };
}

function useScrollTo(
  view: React.RefObject<CodeViewHandle<LineNote, undefined> | null>,
  place: Place,
  files: ReadonlyMap<string, DiffFile>,
): void {
  const path = place?.path;
  const line = place?.line ?? 0;
  const side = SIDES[place?.side ?? 'new'];
  const isThere = path !== undefined && files.has(path);
  useEffect(() => {
    if (!isThere) return;
    const target = line === 0 ? { type: 'item' as const } : { type: 'line' as const, lineNumber: line };
    view.current?.scrollTo({
      ...target,
      id: path,
      ...(line === 0 ? { align: 'start' } : { side, align: 'center' }),
    });
  }, [view, path, line, side, isThere]);
}

interface Shown {
  readonly notes: readonly LineNote[];
  readonly isFolded: boolean;
}

function itemOf(file: DiffFile, { notes, isFolded }: Shown) {
  const annotations = notes.map((note): DiffLineAnnotation<LineNote> => ({
    side: SIDES[note.side],
    lineNumber: note.line,
    metadata: note,
  }));
  return {
    id: file.path,
    type: 'diff' as const,
    fileDiff: parsedDiff(file),
    annotations,
    collapsed: isFolded,
    version: versionOf(file, { notes, isFolded }),
  };
}

/** Another number whenever anything about it is another: the library compares nothing else. */
function versionOf({ key }: DiffFile, { notes, isFolded }: Shown): number {
  return textHash(`${key} ${isFolded} ${JSON.stringify(notes)}`);
}
