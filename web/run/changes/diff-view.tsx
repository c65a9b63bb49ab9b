import type {
  DiffLineAnnotation,
  DiffLineEventBaseProps,
  FileDiffContentsLoader,
  LineEventBaseProps,
} from '@pierre/diffs';
import {
  CodeView,
  type CodeViewHandle,
  type CodeViewReactOptions,
  WorkerPoolContextProvider,
} from '@pierre/diffs/react';
// oxlint-disable-next-line import/default -- made by Vite
import HighlightWorker from '@pierre/diffs/worker/worker.js?worker';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useShownTheme } from '../../ui/theme-choice.ts';
import type { DiffFile } from './diff-files.ts';
import { CODE_THEMES, parsedDiff } from './code-themes.ts';
import { type ComparedTrees, placeNow, wholeFiles } from './whole-files.ts';
import type { LineNote, NotePlace, Side } from './notes-on-file.ts';
import { textHash } from '../../../src/core/model/text-hash.ts';
import { ApiProblem } from '../../api/client.ts';
import { toast } from '../../ui/toasts.tsx';
import { Plus } from 'lucide-react';

/** Beside the line that is pointed at. */
export function CommentButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  return (
    <button
      type="button"
      aria-label="Comment on this line"
      onClick={onPress}
      className="-mr-1 flex size-[18px] items-center justify-center rounded-sm bg-accent text-on-accent"
    >
      <Plus size={13} aria-hidden />
    </button>
  );
}

/** Reads both versions of a file when somebody wants to see more of it than the patch has. */
export function unfoldLines(trees: ComparedTrees, files: ReadonlyMap<string, DiffFile>): FileDiffContentsLoader {
  return async ({ name }) => {
    const file = files.get(name) ?? { path: name, key: name };
    try {
      const { before, after } = await wholeFiles.read(trees, file);
      return { oldFile: { name, contents: before }, newFile: { name, contents: after } };
    } catch (error) {
      const { message } = error instanceof Error ? error : { message: '' };
      const hint = error instanceof ApiProblem ? error.hint : undefined;
      toast({
        tone: 'bad',
        title: `The rest of the file cannot be shown. ${message}`,
        ...(hint === undefined ? {} : { hint }),
      });
      throw error;
    }
  };
}

/**
 * What unfolds lines is drawn by the library for pointers alone: here each gets a name, a place in the order of the keyboard,
 * and the keys of a button.
 */
export function nameUnfolding(node: HTMLElement): void {
  const buttons = node.shadowRoot?.querySelectorAll<HTMLElement>('[data-expand-button]') ?? [];
  for (const button of buttons) {
    button.tabIndex = 0;
    button.setAttribute('aria-label', nameOf(button));
    button.addEventListener('keydown', press);
  }
}

function nameOf(button: HTMLElement): string {
  // What is read on it comes first in what it is called.
  if ('expandAllButton' in button.dataset) return 'Expand all lines between';
  if ('expandBoth' in button.dataset) return 'Show the lines between';
  return 'expandUp' in button.dataset ? 'Show more lines below what is above' : 'Show more lines above what is below';
}

function press(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.click();
}

interface Wanted {
  readonly themeType: 'light' | 'dark';
  readonly isSplit: boolean;
  readonly loadDiffFiles: FileDiffContentsLoader;
  readonly onPlace: (place: NotePlace) => void;
}

/** How diffs are drawn: in the page's own fonts and surfaces, coloured only where something changed. */
export function diffOptions(wanted: Wanted): CodeViewReactOptions<LineNote, undefined> {
  const { themeType, isSplit, loadDiffFiles, onPlace } = wanted;
  return {
    theme: CODE_THEMES,
    themeType,
    preferredHighlighter: 'shiki-js',
    diffStyle: isSplit ? 'split' : 'unified',
    overflow: 'wrap',
    lineDiffType: 'word-alt',
    hunkSeparators: 'line-info-basic',
    loadDiffFiles,
    expansionLineCount: 10,
    onPostRender: nameUnfolding,
    stickyHeaders: true,
    // Otherwise a click is lost that comes while the view still scrolls.
    pointerEventsOnScroll: true,
    enableLineSelection: true,
    enableGutterUtility: true,
    lineHoverHighlight: 'number',
    tokenizeMaxLineLength: 2000,
    itemMetrics: { diffHeaderHeight: 36, lineHeight: 18 },
    layout: { paddingTop: 0, paddingBottom: 24, gap: 0 },
    unsafeCSS: CSS,
    onLineNumberClick: (line: LineEventBaseProps | DiffLineEventBaseProps, { item }: Of) => {
      if ('annotationSide' in line)
        onPlace({ path: item.id, line: line.lineNumber, side: diffSide(line.annotationSide) });
    },
  };
}

/** The library's word for a side of a diff. */
export const SIDES = { new: 'additions', old: 'deletions' } as const;

export const diffSide = (side: unknown): Side => (side === SIDES.old ? 'old' : 'new');

/** The file that it is about, by its path. */
interface Of {
  readonly item: { readonly id: string };
}

const CSS = `
:host {
  --diffs-font-family: 'JetBrains Mono Variable', ui-monospace, monospace;
  --diffs-header-font-family: 'Inter Variable', system-ui, sans-serif;
  --diffs-font-size: 12px;
  --diffs-line-height: 18px;
  --diffs-tab-size: 2;
  --diffs-font-features: 'liga' 0, 'calt' 0;
  --diffs-bg: var(--surface);
  --diffs-modified-color-override: var(--accent);
  --diffs-addition-color-override: var(--ok);
  --diffs-deletion-color-override: var(--bad);
}
[data-expand-index] [data-separator-wrapper] { grid-template-columns: 34px auto max-content; }
[data-expand-button][data-expand-all-button] {
  display: flex;
  grid-area: 1 / 3 / -1 / 4;
  align-items: center;
  padding-inline: 8px;
  border: 0;
  text-decoration: underline;
}
[data-expand-button]:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
`;

// oxlint-disable-next-line import/default -- made by Vite

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

/** A new number for every change, since the library compares nothing else. */
function versionOf({ key }: DiffFile, { notes, isFolded }: Shown): number {
  return textHash(`${key} ${isFolded} ${JSON.stringify(notes)}`);
}
