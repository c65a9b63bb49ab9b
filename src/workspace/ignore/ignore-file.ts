import type { BytePath } from '../byte-path.ts';
import { wildmatch } from './wildmatch.ts';

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
  const subject = pattern.isName ? path.slice(path.lastIndexOf('/') + 1) : path;
  if (pattern.rest === '') return subject === pattern.literal;
  // What follows the plain part is matched alone: `a**/b` is a plain `a`, and then any folders.
  if (!pattern.isName) {
    return subject.startsWith(pattern.literal) && wildmatch(pattern.rest, subject.slice(pattern.literal.length));
  }
  return subject.startsWith(pattern.literal) && wildmatch(pattern.literal + pattern.rest, subject);
}
