import type { DiffLineEventBaseProps, FileDiffContentsLoader, LineEventBaseProps } from '@pierre/diffs';
import type { CodeViewReactOptions } from '@pierre/diffs/react';
import { CODE_THEMES } from './code-themes.ts';
import type { NotePlace, LineNote, Side } from './line-note.ts';
import { nameUnfolding } from './unfold-lines.ts';

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
