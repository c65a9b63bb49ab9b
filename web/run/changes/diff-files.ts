import type { ChangesPage, FileChange } from '../../../src/protocol/web/changes-page.ts';
import { patchFiles } from './patch-files.ts';

/** A changed file as it is shown: what became of it, and its part of the patch. */
export interface DiffFile extends FileChange {
  /** Empty where there are no lines to show; `note` says why. */
  readonly text: string;
  readonly note: string | null;
  /** Of the lines in the patch, by their numbers in the new file. */
  readonly shown: readonly LineRange[];
  /** The same for the same change: what was read once need not be read again. */
  readonly key: string;
  /** Folded until asked for. */
  readonly isLarge: boolean;
}

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const LARGE_LINES = 1500;
const LARGE_CHARACTERS = 300_000;

export function diffFiles(page: ChangesPage): readonly DiffFile[] {
  const parts = Map.groupBy(patchFiles(patchOf(page)), ({ path }) => path);
  return page.files.map((change) => {
    const own = parts.get(change.path) ?? [];
    const text = own.map((part) => part.text).join('');
    const lines = (change.added ?? 0) + (change.removed ?? 0);
    return {
      ...change,
      text,
      note: noteOf(change, text),
      shown: shownLines(text),
      key: `${change.path} ${hashOf(`${change.change} ${change.mode?.join() ?? ''} ${text}`)}`,
      isLarge: lines > LARGE_LINES || text.length > LARGE_CHARACTERS,
    };
  });
}

function patchOf({ patch, patchBase64 }: ChangesPage): string {
  if (patch !== undefined) return patch;
  const bytes = Uint8Array.from(atob(patchBase64 ?? ''), (character) => character.codePointAt(0) ?? 0);
  return new TextDecoder().decode(bytes);
}

const WITH_CONTENT: ReadonlySet<string> = new Set(['file', 'link']);

/** What the lines of a patch do not tell. */
function noteOf({ kind, isBinary, mode, change, added }: FileChange, text: string): string | null {
  if (isBinary === true) return 'It is not text, or too large to be shown line by line.';
  if (kind === 'folder') return change === 'deleted' ? 'An empty folder is gone.' : 'An empty folder.';
  if (!WITH_CONTENT.has(kind)) return 'Its content is not kept.';
  if (mode !== undefined) return `Its mode is ${mode[1]}; it was ${mode[0]}.`;
  if (!text.includes('\n@@ '))
    return added === 0 && change === 'added' ? 'The file is empty.' : 'There are no lines to show.';
  return kind === 'link' ? 'It is a link: this is where it leads.' : null;
}

function shownLines(text: string): readonly LineRange[] {
  return [...text.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) => {
    const first = Number(start);
    return Number(count) === 0 ? [] : [{ first, last: first + Number(count) - 1 }];
  });
}

export const isShown = ({ shown }: DiffFile, line: number): boolean =>
  shown.some(({ first, last }) => line >= first && line <= last);

/** A line of the new file, where the patch has it. */
export function lineText({ text }: DiffFile, wanted: number): string | null {
  // Before the first of its parts nothing is a line of the file.
  let at = -1;
  for (const line of text.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null) at = Number(hunk[1]) - 1;
    else if (line.startsWith('diff --git ')) at = -1;
    else if (at >= 0 && (line.startsWith('+') || line.startsWith(' '))) {
      at += 1;
      if (at === wanted) return line.slice(1);
    }
  }
  return null;
}

/** FNV-1a: only to tell whether it is the same text as before. */
function hashOf(text: string): string {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return (hash >>> 0).toString(36);
}
