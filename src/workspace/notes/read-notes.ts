import { isUtf8 } from 'node:buffer';
import { type BytePath, pathBelow, pathText, folderOf, staysInside } from '../byte-path.ts';
import type { EntryMap, TreeStore } from '../store/port.ts';

/** In the order in which they are printed. */
const NAMES: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** All notes together; more is cut, from the file that is farthest from the agents' work. */
const MOST_BYTES = 32 * 1024;

/** A larger file is no notes. */
const LARGEST_FILE = 1024 * 1024;

const MOST_FILES = 20;
const MOST_HOPS = 5;
const MOST_IMPORTS = 100;
const MOST_NESTED = 30;

/**
 * The notes of a project out of the tree that its workspaces begin with: nothing outside of it can be read, wherever a link
 * or an import leads. Notes nearest to `folder` are kept longest and printed last. What is left out is named with the reason;
 * nothing in a file makes this fail. Empty where there are none.
 */
export async function readNotes(
  store: TreeStore,
  entries: TreeEntries,
  { folder = '', redact = (text) => text }: NoteOptions = {},
): Promise<string> {
  const reading = new NoteReading(store, entries, redact);
  const folders = foldersTo(folder);
  const groups: (readonly string[])[] = [];
  for (const one of folders.toReversed()) groups.unshift(await reading.folder(one));
  const nested = nestedLine(entries, folders);
  return [...groups.flat(), ...reading.leftOutLines(), ...nested].join('\n');
}

export interface NoteOptions {
  readonly folder?: BytePath;
  /** Takes secrets out before anything is cut: half a secret is not recognised. */
  readonly redact?: (text: string) => string;
}

/** From the root to the folder. */
function foldersTo(folder: BytePath): readonly BytePath[] {
  const names = folder.split('/').filter((name) => name !== '');
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))];
}

export type TreeEntries = EntryMap;

class NoteReading {
  readonly #store: TreeStore;
  readonly #entries: TreeEntries;
  readonly #redact: (text: string) => string;
  /** By content, so that a file and a link to it, or a copy, are read once. */
  readonly #read = new Set<string>();
  readonly #leftOut: string[] = [];
  #left = MOST_BYTES;

  constructor(store: TreeStore, entries: TreeEntries, redact: (text: string) => string) {
    this.#store = store;
    this.#entries = entries;
    this.#redact = redact;
  }

  async folder(folder: BytePath): Promise<readonly string[]> {
    const blocks: string[] = [];
    for (const name of NAMES) {
      const path = pathBelow(folder, name);
      if (this.#entries.has(path)) blocks.push(...(await this.#file(path, 0)));
    }
    return blocks;
  }

  leftOutLines(): readonly string[] {
    return this.#leftOut.length === 0 ? [] : [`Left out of the notes: ${this.#leftOut.join('; ')}.`];
  }

  /** The file, then those it imports. */
  async #file(path: BytePath, hops: number): Promise<readonly string[]> {
    const blob = await this.#blobAt(path);
    if (blob === null || this.#read.has(blob)) return [];
    this.#read.add(blob);
    const text = await this.#text(path, blob);
    if (text === null) return [];
    const blocks = this.#block(path, text);
    for (const { shown, path: imported } of importsIn(text, path).slice(0, MOST_IMPORTS)) {
      if (imported === null)
        this.#omit(`${shownName(path)} imports ${shortened(shown)}`, 'it is outside of the project');
      else if (this.#entries.has(imported)) blocks.push(...(await this.#imported(imported, hops + 1)));
    }
    return blocks;
  }

  async #imported(path: BytePath, hops: number): Promise<readonly string[]> {
    if (hops <= MOST_HOPS && this.#read.size < MOST_FILES) return await this.#file(path, hops);
    this.#omit(shownName(path), 'there are too many imports');
    return [];
  }

  /** Links are followed inside of the tree only. */
  async #blobAt(path: BytePath): Promise<string | null> {
    let at = path;
    for (let hops = 0; hops <= MOST_HOPS; hops += 1) {
      const entry = this.#entries.get(at);
      if (entry?.kind === 'file') return entry.blob;
      const target = entry?.kind === 'link' ? (await this.#store.read(entry.blob)).toString('utf8') : null;
      const next = target === null ? null : insidePath(target, at);
      if (next === null) break;
      at = next;
    }
    this.#omit(shownName(path), 'it leads to no file in the project');
    return null;
  }

  async #text(path: BytePath, blob: string): Promise<string | null> {
    const size = await this.#store.sizeOf(blob);
    if (size > LARGEST_FILE) return this.#omit(shownName(path), 'it is larger than 1 MiB');
    const bytes = await this.#store.read(blob);
    if (!isUtf8(bytes) || bytes.includes(0)) return this.#omit(shownName(path), 'it is not UTF-8 text');
    return this.#redact(bytes.toString('utf8').replaceAll(UNSEEN, '')).trim();
  }

  #block(path: BytePath, text: string): string[] {
    if (text === '') return [];
    const kept = cut(text, this.#left);
    if (kept === '') return this.#omit(shownName(path), OVER_BUDGET) ?? [];
    this.#left -= Buffer.byteLength(kept);
    if (kept !== text) this.#omit(`the end of ${shownName(path)}`, OVER_BUDGET);
    return [`<project_notes file="${shownName(path)}">`, withoutEnd(kept), '</project_notes>'];
  }

  #omit(what: string, why: string): null {
    if (this.#leftOut.length < MOST_FILES) this.#leftOut.push(`${what}, because ${why}`);
    return null;
  }
}

const OVER_BUDGET = 'all notes together are over 32 KiB';

/** Control characters, and letters that only machines see. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** Notes cannot end their own frame and continue as somebody else. */
const withoutEnd = (text: string): string => text.replaceAll(/<(\/?)(?=project_notes)/gi, '‹$1');

/** As many whole lines as fit. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const head = Buffer.from(text).subarray(0, bytes).toString('utf8');
  return head.slice(0, Math.max(0, head.lastIndexOf('\n'))).trimEnd();
}

/** A path as part of a sentence: nothing in it can look like anything else. */
const shownName = (path: BytePath): string => shortened(pathText(path));

const shortened = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_./@+-]/gu, '?').slice(0, 200);

/** Notes of folders below: an agent reads them when it works there. */
function nestedLine(entries: TreeEntries, read: readonly BytePath[]): readonly string[] {
  const paths = [...entries.keys()].filter((path) => {
    const folder = folderOf(path);
    return !read.includes(folder) && NAMES.includes(path.slice(folder === '' ? 0 : folder.length + 1));
  });
  if (paths.length === 0) return [];
  const more = paths.length > MOST_NESTED ? ` and ${paths.length - MOST_NESTED} more` : '';
  const shown = paths.sort().slice(0, MOST_NESTED).map(shownName).join(', ');
  return [`Folders with notes of their own, to be read before you work there: ${shown}${more}.`];
}

/** A file that notes bring in with `@path`; null where the path leads out of the project. */
export interface NoteImport {
  readonly shown: string;
  readonly path: BytePath | null;
}

/** The imports in notes, in order. What stands in code is an example and imports nothing. */
function importsIn(text: string, file: BytePath): readonly NoteImport[] {
  const prose = text.replaceAll(/^(```|~~~).*?^\1/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const found = [...prose.matchAll(/(?:^|\s)@([^\s"'<>()[\]]+)/g)].map(([, path = '']) =>
    path.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set(found)].filter((path) => path !== '').map((shown) => ({ shown, path: insidePath(shown, file) }));
}

/** The path in the project that a relative path in a file, or the target of a link, leads to; null where it leads out. */
function insidePath(path: string, file: BytePath): BytePath | null {
  const bytes = Buffer.from(path).toString('latin1');
  if (path.startsWith('~') || path.includes('\0') || !staysInside(file, bytes)) return null;
  const names = folderOf(file)
    .split('/')
    .filter((name) => name !== '');
  for (const name of bytes.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
