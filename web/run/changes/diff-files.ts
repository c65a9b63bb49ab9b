import type { ChangesPage, FileChange } from '../../../src/protocol/web/changes-page.ts';
import { space } from '../../../src/protocol/amounts.ts';
import { textHash } from '../../../src/core/model/text-hash.ts';

/** The part of a patch that is about one file. */
export interface PatchFile {
  /** As lists show it. */
  readonly path: string;
  /** Nothing in it is hidden: see `visibleLine`. */
  readonly text: string;
  readonly isBinary: boolean;
}

/** A patch of git's, file by file. What a file says can never begin a line like this: there is always a sign before it. */
export function patchFiles(patch: string): readonly PatchFile[] {
  const starts = [...patch.matchAll(/^diff --git /gm)].map(({ index }) => index);
  return starts.map((start, place) => patchFile(patch.slice(start, starts[place + 1])));
}

function patchFile(section: string): PatchFile {
  const isBinary = /^(?:GIT binary patch|Binary files .* differ)$/m.test(headOf(section));
  const path = shownPath(pathIn(section));
  return { path, text: isBinary ? '' : section.split('\n').map(visibleLine).join('\n'), isBinary };
}

function headOf(section: string): string {
  const end = section.search(/^@@ /m);
  return end === -1 ? section.slice(0, 20_000) : section.slice(0, end);
}

function pathIn(section: string): string {
  const head = headOf(section);
  const named =
    /^\+\+\+ (?!\/dev\/null)(.+)$/m.exec(head)?.[1] ??
    /^--- (?!\/dev\/null)(.+)$/m.exec(head)?.[1] ??
    /^diff --git .*?("b\/(?:[^"\\]|\\.)*"|(?<= )b\/.*)$/m.exec(head)?.[1] ??
    '';
  // Git ends a name that has spaces with a tab.
  return unquoted(named.replace(/\t$/, '').replace(/^("?)[ab]\//, '$1'));
}

/** Git writes the bytes of unusual names as octal numbers. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, escape, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(escape === undefined ? plain : (ESCAPES[escape] ?? escape)));
  }
  const buffer = Uint8Array.from(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer);
  } catch {
    return `"${Array.from(bytes, latinShown).join('')}"`;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u{7}',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

const latinShown = (byte: number): string => {
  const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c;
  return isPlain ? String.fromCodePoint(byte) : String.raw`\x${byte.toString(16).padStart(2, '0')}`;
};

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Like the engine's lists show a path, so that both are the same word. */
function shownPath(path: string): string {
  if (path !== '' && path.search(UNSAFE) === -1) return path;
  // Bytes that are not text were quoted already.
  if (path.startsWith('"') && path.endsWith('"')) return path;
  const escaped = path
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(UNSAFE, (one) =>
      one === '\n' ? String.raw`\n` : String.raw`\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return `"${escaped}"`;
}

/**
 * Source may say something else than it seems to: marks that turn the direction of writing, escape sequences, characters
 * without a shape. Each is shown by its number, and a line stays one line.
 */
export function visibleLine(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (plain.search(HIDDEN) === -1) return plain;
  return plain.replaceAll(
    HIDDEN,
    (one) => `⟦U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
  );
}

const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]/gu;

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
  if (!WITH_CONTENT.has(kind)) return 'Its content is not stored.';
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
