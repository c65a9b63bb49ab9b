import type { DiffLineEventBaseProps, LineEventBaseProps, SelectedLineRange } from '@pierre/diffs';
import type { CodeViewReactOptions } from '@pierre/diffs/react';
import type { LineNote } from './line-note.ts';

export const THEME = { light: 'pierre-light', dark: 'pierre-dark' } as const;

interface Wanted {
  readonly themeType: 'light' | 'dark';
  readonly isSplit: boolean;
  readonly onPlace: (path: string, line: number) => void;
  readonly onComment: (path: string, line: number) => void;
}

/** How diffs are drawn: in the page's own fonts and surfaces, coloured only where something changed. */
export function diffOptions({ themeType, isSplit, onPlace, onComment }: Wanted): CodeViewReactOptions<LineNote, undefined> {
  return {
    theme: THEME,
    themeType,
    preferredHighlighter: 'shiki-js',
    diffStyle: isSplit ? 'split' : 'unified',
    overflow: 'wrap',
    lineDiffType: 'word-alt',
    hunkSeparators: 'line-info-basic',
    stickyHeaders: true,
    enableLineSelection: true,
    enableGutterUtility: true,
    lineHoverHighlight: 'number',
    tokenizeMaxLineLength: 2000,
    itemMetrics: { diffHeaderHeight: 36, lineHeight: 18 },
    layout: { paddingTop: 0, paddingBottom: 24, gap: 0 },
    unsafeCSS: CSS,
    onLineNumberClick: (line: LineEventBaseProps | DiffLineEventBaseProps, { item }: Of) => {
      if ('annotationSide' in line && line.annotationSide === 'additions') onPlace(item.id, line.lineNumber);
    },
    onGutterUtilityClick: ({ start, side }: SelectedLineRange, { item }: Of) => {
      if (side !== 'deletions') onComment(item.id, start);
    },
  };
}

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
}
`;
