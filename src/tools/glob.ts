import { shownPath } from '../lib/confined-path.ts';
import { defineTool, objectSchema } from './define-tool.ts';
import { inFolder, joined, walkFiles } from './folder-access.ts';

export const globTool = defineTool<{ pattern: string }>({
  name: 'glob',
  description: 'Find files by a pattern such as src/**/*.{ts,js}. Skips .git, .troupe and node_modules.',
  parameters: objectSchema(['pattern'], { pattern: { type: 'string', minLength: 1, maxLength: 1000 } }),
  repeat: 'safe',
  access: 'read',
  async run({ pattern }, { folder, signal }) {
    const matches = globMatcher(pattern);
    return inFolder(folder, '.', async (held) => {
      const found: string[] = [];
      for await (const { names } of walkFiles(held, signal)) {
        const path = joined(names);
        if (matches(path.toString('utf8'))) found.push(shownPath(path));
        if (found.length > MAX_FOUND) break;
      }
      if (found.length === 0) return 'No file matches.';
      if (found.length <= MAX_FOUND) return found.join('\n');
      return `${found.slice(0, MAX_FOUND).join('\n')}\n[… more left out; use a narrower pattern …]`;
    });
  },
});

const MAX_FOUND = 1000;

/**
 * Matches paths against `*`, `?`, `[a-z]`, `{a,b}` and `**`, in time bounded by the pattern's length times the path's:
 * no regular expression is made of what a stranger wrote. `*` and `?` do match names that begin with a dot.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const patterns = expandBraces(pattern.replace(/^\.\//, '')).map((each) => each.split('/').map(parseName));
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name));
    return patterns.some((parts) => matchNames(parts, names));
  };
}

/** The pattern cannot be used; the message says why. */
export class GlobInvalid extends Error {
  override readonly name = 'GlobInvalid';
}

const MAX_ALTERNATIVES = 256;

/** `a{b,c}` to `ab` and `ac`, innermost first, with a limit since braces multiply. */
function expandBraces(pattern: string): readonly string[] {
  let open: readonly string[] = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MAX_ALTERNATIVES)
      throw new GlobInvalid('The pattern has too many alternatives in braces.');
    const next: string[] = [];
    for (const each of open) {
      const braces = /\{([^{}]*,[^{}]*)\}/.exec(each);
      if (braces === null) done.push(each);
      else next.push(...(braces[1] ?? '').split(',').map((choice) => splice(each, braces, choice)));
    }
    open = next;
  }
  return done;
}

function splice(text: string, found: RegExpExecArray, choice: string): string {
  return text.slice(0, found.index) + choice + text.slice(found.index + found[0].length);
}

type NamePattern = '**' | readonly Piece[];
type Piece = '*' | { readonly test: (character: string) => boolean };

function parseName(name: string): NamePattern {
  if (name === '**') return '**';
  const pieces: Piece[] = [];
  const characters = Array.from(name);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const end = character === '[' ? characters.indexOf(']', at + 2) : -1;
    if (end !== -1) {
      pieces.push(characterClass(characters.slice(at + 1, end)));
      at = end;
    } else if (character !== '*' || pieces.at(-1) !== '*') {
      pieces.push(simplePiece(character));
    }
  }
  return pieces;
}

function simplePiece(character: string): Piece {
  if (character === '*') return '*';
  return { test: character === '?' ? () => true : (each) => each === character };
}

function characterClass(inside: readonly string[]): Piece {
  const isNegated = inside[0] === '!' || inside[0] === '^';
  const ranges = rangesOf(isNegated ? inside.slice(1) : inside);
  return { test: (each) => ranges.some(([from, to]) => each >= from && each <= to) !== isNegated };
}

function rangesOf(members: readonly string[]): readonly (readonly [string, string])[] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return ranges;
}

/** Both levels use the same greedy walk: on a mismatch, go back to the last star and let it take one more. */
function matchNames(parts: readonly NamePattern[], names: readonly (readonly string[])[]): boolean {
  return matchWithStars(parts, names, {
    isStar: (part) => part === '**',
    matches: (part, name) => part !== '**' && matchName(part, name),
  });
}

function matchName(pieces: readonly Piece[], characters: readonly string[]): boolean {
  return matchWithStars(pieces, characters, {
    isStar: (piece) => piece === '*',
    matches: (piece, character) => piece !== '*' && piece.test(character),
  });
}

interface StarRules<P, T> {
  readonly isStar: (part: P) => boolean;
  readonly matches: (part: P, item: T) => boolean;
}

function matchWithStars<P, T>(parts: readonly P[], items: readonly T[], rules: StarRules<P, T>): boolean {
  let part = 0;
  let item = 0;
  let retry: { readonly part: number; readonly item: number } | null = null;
  while (item < items.length) {
    const current = parts[part];
    if (current !== undefined && rules.isStar(current)) {
      retry = { part: part + 1, item: item + 1 };
      part += 1;
    } else if (current !== undefined && rules.matches(current, items[item] as T)) {
      part += 1;
      item += 1;
    } else if (retry === null) {
      return false;
    } else {
      part = retry.part;
      item = retry.item;
      retry = { part, item: item + 1 };
    }
  }
  return parts.slice(part).every((rest) => rules.isStar(rest));
}
