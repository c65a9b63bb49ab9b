import type { DiffLineEventBaseProps, LineEventBaseProps } from '@pierre/diffs';
import type { CodeViewReactOptions } from '@pierre/diffs/react';
import { CODE_THEMES } from './code-themes.ts';
import type { LineNote } from './line-note.ts';

interface Wanted {
  readonly themeType: 'light' | 'dark';
  readonly isSplit: boolean;
  readonly onPlace: (path: string, line: number) => void;
}

/** How diffs are drawn: in the page's own fonts and surfaces, coloured only where something changed. */
export function diffOptions({ themeType, isSplit, onPlace }: Wanted): CodeViewReactOptions<LineNote, undefined> {
  return {
    theme: CODE_THEMES,
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
  --diffs-font-features: 'liga' 0, 'calt' 0;
  --diffs-bg: var(--surface);
  --diffs-modified-color-override: var(--accent);
  --diffs-addition-color-override: var(--ok);
  --diffs-deletion-color-override: var(--bad);
}
`;
