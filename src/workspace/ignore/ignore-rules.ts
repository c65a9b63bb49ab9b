import { type BytePath, nameIn, folderOf } from '../byte-path.ts';

/**
 * Whether a set of ignore files leaves a path out, as git would say. `files` in the order of their say, the weakest first;
 * of two folders the deeper one always wins. What lies in an ignored folder is ignored, whatever is said of it.
 */
export function createIgnoreRules(files: readonly IgnoreFile[], options: IgnoreOptions = {}): IgnoreRules {
  const byBase = Map.groupBy(
    files
      .toReversed()
      .flatMap(({ base, text }) => readPatterns(fold(text, options)).map((pattern) => ({ base, pattern }))),
    ({ base }) => fold(base, options),
  );
  const folders = new Map<BytePath, boolean>([['', false]]);

  function isIgnored(path: BytePath, isFolder: boolean): boolean {
    return isFolder ? isFolderIgnored(path) : isFolderIgnored(folderOf(path)) || isNamed(path, false);
  }

  /** Asked again for each file in it. */
  function isFolderIgnored(path: BytePath): boolean {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const isOut = isFolderIgnored(folderOf(path)) || isNamed(path, true);
    folders.set(path, isOut);
    return isOut;
  }

  function isNamed(whole: BytePath, isFolder: boolean): boolean {
    const path = fold(whole, options);
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const base = path.slice(0, end + 1);
      const below = path.slice(base.length);
      const found = byBase.get(base)?.find(({ pattern }) => matchesPattern(pattern, below, isFolder));
      if (found !== undefined) return !found.pattern.isNegated;
      if (end === -1) return false;
    }
  }

  return { isIgnored };
}

export interface IgnoreRules {
  readonly isIgnored: (path: BytePath, isFolder: boolean) => boolean;
}

export interface IgnoreOptions {
  readonly ignoreCase?: boolean;
}

function fold(text: string, { ignoreCase }: IgnoreOptions): string {
  return ignoreCase === true ? text.replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase()) : text;
}

/** One `.gitignore`: its text as bytes in a string, and the folder it speaks for, with a slash at its end; empty for the root. */
export interface IgnoreFile {
  readonly base: BytePath;
  readonly text: string;
}

export interface IgnorePattern {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Compared with the last name alone, at any depth. */
  readonly isName: boolean;
  /** The part before the first special sign. */
  readonly literal: string;
  /** What follows it; empty when nothing special is in it. */
  readonly rest: string;
}

/** The patterns of a file, last first, since the last one that matches decides. */
export function readPatterns(text: string): readonly IgnorePattern[] {
  const lines = text.replace(/^\u00ef\u00bb\u00bf/, '').split('\n');
  return lines
    .map(patternText)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readPattern)
    .filter((pattern) => pattern.literal !== '' || pattern.rest !== '')
    .reverse();
}

/** Without the end of a DOS line and without spaces that no backslash protects. */
function patternText(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  const text = whole.split('\0', 1)[0] ?? '';
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
      end = at + 1;
    } else if (text[at] !== ' ') end = at + 1;
  }
  return text.slice(0, end);
}

const SPECIAL = /[*?[\\]/;

function readPattern(line: string): IgnorePattern {
  const isNegated = line.startsWith('!');
  const positive = isNegated ? line.slice(1) : line;
  const foldersOnly = positive.endsWith('/');
  const whole = foldersOnly ? positive.slice(0, -1) : positive;
  const isName = !whole.includes('/');
  const pattern = whole.startsWith('/') ? whole.slice(1) : whole;
  const special = pattern.search(SPECIAL);
  const literal = special === -1 ? pattern : pattern.slice(0, special);
  return { isNegated, foldersOnly, isName, literal, rest: pattern.slice(literal.length) };
}

/** `path` is relative to the folder the pattern speaks for. */
export function matchesPattern(pattern: IgnorePattern, path: BytePath, isFolder: boolean): boolean {
  if (pattern.foldersOnly && !isFolder) return false;
  const subject = pattern.isName ? nameIn(path) : path;
  if (pattern.rest === '') return subject === pattern.literal;
  // What follows the plain part is matched alone: `a**/b` is a plain `a`, and then any folders.
  if (!pattern.isName) {
    return subject.startsWith(pattern.literal) && wildmatch(pattern.rest, subject.slice(pattern.literal.length));
  }
  return subject.startsWith(pattern.literal) && wildmatch(pattern.literal + pattern.rest, subject);
}

/**
 * Whether a text matches a pattern with the meaning git gives it: `*` and `?` stop at a slash, `**` between slashes does not.
 * Works on bytes held in a string, one character each. The same search in the same order as git's own, oddities included,
 * so that the two never disagree.
 */
export function wildmatch(pattern: string, text: string): boolean {
  return search({ pattern, text }, 0, 0) === MATCH;
}

/** `DEAD_END` and `PAST_SLASH` say that trying further characters for an earlier star is pointless. */
const MATCH = 0;
const NO_MATCH = 1;
const DEAD_END = 2;
const PAST_SLASH = 3;
type Result = typeof MATCH | typeof NO_MATCH | typeof DEAD_END | typeof PAST_SLASH;

interface Subject {
  readonly pattern: string;
  readonly text: string;
}

function search(subject: Subject, patternAt: number, textAt: number): Result {
  const { pattern, text } = subject;
  let at = textAt;
  for (let p = patternAt; p < pattern.length; p += 1, at += 1) {
    const sign = pattern[p];
    if (sign === '*') return star(subject, p, at);
    if (at >= text.length) return DEAD_END;
    const next = matchOne(subject, p, at);
    if (next === null) return NO_MATCH;
    p = next;
  }
  return at === text.length ? MATCH : NO_MATCH;
}

/** Where the sign that matched the character ends in the pattern; null when it did not match. */
function matchOne({ pattern, text }: Subject, p: number, at: number): number | null {
  const character = text[at];
  switch (pattern[p]) {
    case '?':
      return character === '/' ? null : p;
    case '[':
      return character === '/' ? null : endOfSet(pattern, p, text.charCodeAt(at));
    case '\\':
      return pattern[p + 1] === character ? p + 1 : null;
    default:
      return pattern[p] === character ? p : null;
  }
}

function star(subject: Subject, starAt: number, textAt: number): Result {
  const { pattern, text } = subject;
  let p = starAt;
  while (pattern[p] === '*') p += 1;
  if (p - starAt > 1 && isBounded(pattern, starAt, p)) return starStar(subject, p, textAt);
  if (p === pattern.length) return text.includes('/', textAt) ? PAST_SLASH : MATCH;
  if (pattern[p] !== '/') return tryEach(subject, { p, at: textAt, crosses: false });
  const slash = text.indexOf('/', textAt);
  return slash === -1 ? DEAD_END : search(subject, p, slash);
}

function starStar(subject: Subject, p: number, textAt: number): Result {
  if (p === subject.pattern.length) return MATCH;
  // It may stand for no folder at all.
  if (subject.pattern[p] === '/' && search(subject, p + 1, textAt) === MATCH) return MATCH;
  return tryEach(subject, { p, at: textAt, crosses: true });
}

function isBounded(pattern: string, start: number, end: number): boolean {
  const opens = start === 0 || pattern[start - 1] === '/';
  return opens && (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end));
}

function tryEach(
  subject: Subject,
  from: { readonly p: number; readonly at: number; readonly crosses: boolean },
): Result {
  const { text } = subject;
  for (let { at } = from; at < text.length; at += 1) {
    const result = search(subject, from.p, at);
    if (result !== NO_MATCH && !(from.crosses && result === PAST_SLASH)) return result;
    if (result === NO_MATCH && !from.crosses && text[at] === '/') return PAST_SLASH;
  }
  return DEAD_END;
}

/** `[a-z]`, `[!…]`, `[[:alpha:]]`: where it ends when it has the character. One that is not closed has none. */
function endOfSet(pattern: string, start: number, code: number): number | null {
  let p = start + 1;
  const isNegated = pattern[p] === '!' || pattern[p] === '^';
  if (isNegated) p += 1;
  let isIn = false;
  let previous = 0;
  for (let isFirst = true; isFirst || pattern[p] !== ']'; isFirst = false) {
    const part = readPart(pattern, p, previous);
    if (part === null) return null;
    isIn ||= part.has(code);
    previous = part.last;
    p = part.next;
  }
  return isIn === isNegated ? null : p;
}

interface SetPart {
  has(code: number): boolean;
  /** A range may begin with it; 0 when none may. */
  readonly last: number;
  readonly next: number;
}

function readPart(pattern: string, p: number, previous: number): SetPart | null {
  if (p >= pattern.length) return null;
  if (pattern[p] === '-' && previous !== 0 && p + 1 < pattern.length && pattern[p + 1] !== ']') {
    return readRange(pattern, p + 1, previous);
  }
  if (pattern.startsWith('[:', p)) return readClass(pattern, p);
  const at = pattern[p] === '\\' ? p + 1 : p;
  if (at >= pattern.length) return null;
  const own = pattern.charCodeAt(at);
  return { has: (code) => code === own, last: own, next: at + 1 };
}

function readRange(pattern: string, p: number, from: number): SetPart | null {
  const at = pattern[p] === '\\' ? p + 1 : p;
  if (at >= pattern.length) return null;
  const to = pattern.charCodeAt(at);
  return { has: (code) => code >= from && code <= to, last: 0, next: at + 1 };
}

function readClass(pattern: string, p: number): SetPart | null {
  const end = pattern.indexOf(']', p + 2);
  if (end === -1) return null;
  if (end - p < 3 || pattern[end - 1] !== ':') {
    // Not a class after all: the bracket stands for itself.
    return { has: (code) => code === 0x5b, last: 0x5b, next: p + 1 };
  }
  const has = CLASSES.get(pattern.slice(p + 2, end - 1));
  return has === undefined ? null : { has, last: 0, next: end + 1 };
}

const within =
  (...ranges: readonly string[]) =>
  (code: number): boolean =>
    ranges.some((range) => code >= range.charCodeAt(0) && code <= range.charCodeAt(range.length - 1));

const CLASSES = new Map<string, (code: number) => boolean>([
  ['alnum', within('az', 'AZ', '09')],
  ['alpha', within('az', 'AZ')],
  ['blank', within(' ', '\t')],
  ['cntrl', within('\0\u001f', '\u007f')],
  ['digit', within('09')],
  ['graph', within('!~')],
  ['lower', within('az')],
  ['print', within(' ~')],
  ['punct', within('!/', ':@', '[`', '{~')],
  ['space', within('\t\r', ' ')],
  ['upper', within('AZ')],
  ['xdigit', within('09', 'af', 'AF')],
]);
