export type PreviewKind = 'image' | 'markdown' | 'json' | 'diff' | 'text' | 'binary';

/** How a content is shown: by what the server found it to be, then by its name. Nothing of it is ever run. */
export function previewKind(path: string, contentType: string): PreviewKind {
  if (contentType.startsWith('image/')) return 'image';
  if (!contentType.startsWith('text/')) return 'binary';
  const ending = /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? '';
  return ENDINGS[ending] ?? 'text';
}

const ENDINGS: Readonly<Record<string, PreviewKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
  diff: 'diff',
  patch: 'diff',
};

/** A line of a patch by what it does. */
export function diffLine(line: string): 'added' | 'removed' | 'place' | 'same' {
  if (line.startsWith('@@') || line.startsWith('diff ') || line.startsWith('+++ ') || line.startsWith('--- '))
    return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}
