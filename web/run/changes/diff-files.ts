import type { ChangesPage, FileChange } from '../../../src/protocol/web/changes-page.ts';
import { space } from '../../../src/protocol/amounts.ts';
import { patchFiles } from './patch-files.ts';
import { textHash } from '../../../src/core/text-hash.ts';

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
      key: `${change.path} ${textHash(`${change.change} ${change.mode?.join() ?? ''} ${text}`).toString(36)}`,
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
function noteOf(file: FileChange, text: string): string | null {
  const { kind, isBinary, mode, change, added } = file;
  if (isBinary === true) return binaryNote(file);
  if (kind === 'folder') return change === 'deleted' ? 'An empty folder is gone.' : 'An empty folder.';
  if (!WITH_CONTENT.has(kind)) return 'Its content is not kept.';
  if (mode !== undefined) return `Its mode is ${mode[1]}; it was ${mode[0]}.`;
  if (!text.includes('\n@@ '))
    return added === 0 && change === 'added' ? 'The file is empty.' : 'There are no lines to show.';
  return kind === 'link' ? 'It is a link: this is where it leads.' : null;
}

/** Larger files are not compared line by line. */
const LARGEST_COMPARED = 32 * 1024 * 1024;

function binaryNote({ path, bytes }: FileChange): string {
  const [before, after] = bytes ?? [null, null];
  const ending = /\.\w{1,10}$/.exec(path)?.[0] ?? '';
  const word = Math.max(before ?? 0, after ?? 0) > LARGEST_COMPARED ? 'Too large to show lines' : 'Not text';
  const what = ending === '' ? word : `${word} (${ending})`;
  return `${[what, ...sizesText(before, after)].join(': ')}.`;
}

function sizesText(before: number | null, after: number | null): readonly string[] {
  if (after === null) return before === null ? [] : [`it had ${space(before)}`];
  return [before === null ? space(after) : `${space(after)}, ${space(before)} before`];
}

/** A picture that the page can show: before and after. */
export const isPicture = ({ isBinary, kind, path }: FileChange): boolean =>
  isBinary === true && kind === 'file' && /\.(?:png|jpe?g|gif|webp)$/i.test(path);

function shownLines(text: string): readonly LineRange[] {
  return [...text.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, start, count = '1']) => {
    const first = Number(start);
    return Number(count) === 0 ? [] : [{ first, last: first + Number(count) - 1 }];
  });
}

export const isShown = ({ shown }: DiffFile, line: number): boolean =>
  shown.some(({ first, last }) => line >= first && line <= last);
