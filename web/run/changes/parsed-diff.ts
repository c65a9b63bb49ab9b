import { getFiletypeFromFileName, processFile, type FileDiffMetadata } from '@pierre/diffs';
import type { DiffFile } from './diff-files.ts';
import { LANGUAGES } from './languages.ts';

/** Once for each change: the library keeps what it has drawn by this object. */
export function parsedDiff(file: DiffFile): FileDiffMetadata {
  const known = PARSED.get(file.key) ?? { ...(processFile(file.text, { cacheKey: file.key }) ?? EMPTY) };
  if (PARSED.size > 400) PARSED.clear();
  PARSED.set(file.key, known);
  const lang = getFiletypeFromFileName(file.path);
  known.name = file.path;
  known.lang = LANGUAGES.includes(lang) ? lang : 'text';
  return known;
}

const PARSED = new Map<string, FileDiffMetadata>();

const EMPTY: FileDiffMetadata = {
  name: '',
  type: 'change',
  hunks: [],
  splitLineCount: 0,
  unifiedLineCount: 0,
  isPartial: true,
  deletionLines: [],
  additionLines: [],
  deletionCharacterCount: 0,
  additionCharacterCount: 0,
};
