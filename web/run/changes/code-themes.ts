import { type FileDiffMetadata, getFiletypeFromFileName, processFile, registerCustomTheme } from '@pierre/diffs';
import type { DiffFile } from './diff-files.ts';
import { LANGUAGES } from './languages.ts';

/** The colours of code: few, and each readable on what is added, removed or chosen, in light and in dark. */
interface Palette {
  readonly text: string;
  readonly comment: string;
  readonly keyword: string;
  readonly string: string;
  readonly name: string;
  readonly value: string;
  readonly type: string;
}

const LIGHT: Palette = {
  text: '#1a1a19',
  comment: '#585853',
  keyword: '#8f1d62',
  string: '#0d5c34',
  name: '#3a3fae',
  value: '#7d3c00',
  type: '#0b5670',
};

const DARK: Palette = {
  text: '#ebebe8',
  comment: '#bcbdb8',
  keyword: '#f7a8cb',
  string: '#9fe0b5',
  name: '#bcc5ff',
  value: '#f5c084',
  type: '#93d6ee',
};

const SCOPES: readonly (readonly [keyof Palette, readonly string[]])[] = [
  ['comment', ['comment', 'punctuation.definition.comment', 'markup.quote']],
  [
    'keyword',
    ['keyword', 'storage', 'keyword.operator.new', 'keyword.operator.expression', 'entity.name.tag', 'markup.heading'],
  ],
  ['text', ['keyword.operator', 'punctuation', 'meta.brace', 'variable']],
  ['string', ['string', 'markup.inline.raw', 'markup.inserted']],
  [
    'name',
    ['entity.name.function', 'support.function', 'meta.function-call entity.name.function', 'entity.name.section'],
  ],
  [
    'value',
    [
      'constant',
      'constant.numeric',
      'string.regexp',
      'variable.language',
      'entity.other.attribute-name',
      'markup.deleted',
    ],
  ],
  ['type', ['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.other.inherited-class']],
];

export const CODE_THEMES = { light: 'troupe-light', dark: 'troupe-dark' } as const;

registerCustomTheme(CODE_THEMES.light, () => Promise.resolve(themeOf('light', LIGHT)));
registerCustomTheme(CODE_THEMES.dark, () => Promise.resolve(themeOf('dark', DARK)));

function themeOf(type: 'light' | 'dark', palette: Palette) {
  return {
    name: CODE_THEMES[type],
    type,
    colors: { 'editor.foreground': palette.text, 'editor.background': type === 'light' ? '#ffffff' : '#17191a' },
    tokenColors: SCOPES.map(([colour, scope]) => ({ scope: [...scope], settings: { foreground: palette[colour] } })),
  };
}

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
