import { DatabaseSync } from 'node:sqlite';
import type { Passage } from '../port.ts';
import type { HeldFolder, Name } from '../../lib/held-folder.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { joined, walkFiles } from '../folder-access.ts';

/** Around each word that was found. */
const FOUND = { start: '\u0001', end: '\u0002' } as const;

export interface FoundSection extends Section {
  readonly path: string;
}

/** The documents of one folder and what was in them when they were last read, in a full-text index. */
export class DocumentStore {
  readonly #database: DatabaseSync;

  /** `:memory:`, or a file that may be thrown away at any time. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: 5000 });
    try {
      this.#database.exec('pragma synchronous = off');
      this.#prepare();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  #prepare(): void {
    const row = this.#database.prepare('pragma user_version').get();
    if (row?.['user_version'] === VERSION) return;
    this.#database.exec(`
      drop table if exists documents; drop table if exists sections;
      create table documents (id integer primary key, path text not null unique, stamp text not null) strict;
      create virtual table sections using fts5(path, heading, body, line unindexed, tokenize = 'porter unicode61 remove_diacritics 2');
      pragma user_version = ${VERSION};`);
  }

  /** Path to stamp. */
  stamps(): ReadonlyMap<string, string> {
    const rows = this.#database.prepare('select path, stamp from documents').all();
    return new Map(rows.map((row) => [String(row['path']), String(row['stamp'])]));
  }

  put(path: string, stamp: string, sections: readonly Section[]): void {
    this.#together(() => {
      this.#remove(path);
      const added = this.#database.prepare('insert into documents (path, stamp) values (?, ?)').run(path, stamp);
      const insert = this.#database.prepare(
        'insert into sections (rowid, path, heading, body, line) values (?, ?, ?, ?, ?)',
      );
      const first = Number(added.lastInsertRowid) * MAX_SECTIONS;
      for (const [at, section] of sections.entries()) {
        insert.run(first + at, path, section.heading, section.body, section.line);
      }
    });
  }

  delete(path: string): void {
    this.#together(() => this.#remove(path));
  }

  /** The best first. */
  find(match: string, limit: number): readonly FoundSection[] {
    const rows = this.#database
      .prepare(
        `select path, heading, line, highlight(sections, 2, ?, ?) as body from sections
         where sections match ? order by bm25(sections, 3.0, 5.0, 1.0), rowid limit ?`,
      )
      .all(FOUND.start, FOUND.end, match, limit);
    return rows.map((row) => ({
      path: String(row['path']),
      heading: String(row['heading']),
      line: Number(row['line']),
      body: String(row['body']),
    }));
  }

  close(): void {
    this.#database.close();
  }

  #remove(path: string): void {
    const row = this.#database.prepare('select id from documents where path = ?').get(path);
    if (row === undefined) return;
    const id = Number(row['id']);
    const [first, last] = [id * MAX_SECTIONS, (id + 1) * MAX_SECTIONS - 1];
    this.#database.prepare('delete from sections where rowid between ? and ?').run(first, last);
    this.#database.prepare('delete from documents where id = ?').run(id);
  }

  #together(change: () => void): void {
    this.#database.exec('begin immediate');
    try {
      change();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}

/** Version of the tables and of the splitting of documents. */
const VERSION = 1;

/** The few lines of a section in which most of the words stand. */
export function bestLines(section: FoundSection): Passage {
  const marked = section.body.split('\n');
  const counts = marked.map((line) => line.split(FOUND.start).length - 1);
  const start = bestStart(counts);
  const lines = marked.slice(start, start + SHOWN_LINES).map((line) => unmarked(line));
  const first = Math.max(0, lines.findIndex(isWritten));
  const shown = lines.slice(first, lines.findLastIndex(isWritten) + 1);
  return { path: section.path, line: section.line + start + first, heading: section.heading, lines: shown };
}

const SHOWN_LINES = 8;
const SHOWN_CHARS = 400;

const isWritten = (line: string): boolean => line.trim() !== '';

function bestStart(counts: readonly number[]): number {
  let best = 0;
  let bestCount = 0;
  for (const [at, own] of counts.entries()) {
    // Beginning with a line in which a word stands, and one line before it to see what it belongs to.
    if (own === 0) continue;
    const count = counts.slice(at, at + SHOWN_LINES - 1).reduce((sum, one) => sum + one, 0);
    if (count > bestCount) [best, bestCount] = [Math.max(0, at - 1), count];
  }
  return best;
}

function unmarked(line: string): string {
  const text = line.replaceAll(FOUND.start, '').replaceAll(FOUND.end, '');
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)} …`;
}

/**
 * A query for the full-text engine: each word in quotes, joined by OR, with the agent's quoted phrases kept together. All other
 * syntax is dropped, so no query can be invalid. Null without a word.
 */
export function matchText(query: string): string | null {
  const phrases = [...query.slice(0, MAX_QUERY).matchAll(/"([^"]*)"|([^"]+)/g)].flatMap(([, quoted, loose]) =>
    quoted === undefined ? wordsOf(loose ?? '') : [wordsOf(quoted).join(' ')],
  );
  const chosen = [...new Set(phrases.filter((phrase) => phrase !== ''))].slice(0, MAX_WORDS);
  return chosen.length === 0 ? null : chosen.map((phrase) => `"${phrase}"`).join(' OR ');
}

const MAX_QUERY = 1000;
const MAX_WORDS = 30;

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** A piece of a document that is found as a whole. */
interface Section {
  readonly heading: string;
  /** Its first line, counted from 1. */
  readonly line: number;
  readonly body: string;
}

/** Cuts a document at its headings, and where a part grows too long for one answer. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  let heading = '';
  let start = 0;
  const lines = text.split(/\r\n|[\n\r]/, MAX_LINES).map((line) => plain(line));
  const cut = (end: number) => {
    const body = lines.slice(start, end).join('\n');
    if (body.trim() !== '') sections.push({ heading, line: start + 1, body });
    start = end;
  };
  for (const [at, line] of lines.entries()) {
    const own = headingIn(line, lines[at + 1] ?? '');
    if (own !== null || at - start >= SECTION_LINES) cut(at);
    heading = own ?? heading;
  }
  cut(lines.length);
  return sections.slice(0, MAX_SECTIONS);
}

const MAX_SECTIONS = 10_000;
const SECTION_LINES = 40;
const MAX_LINES = 200_000;
const MAX_LINE = 2000;

/** Marks made of control characters show where words were found, so the text itself has none. */
function plain(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.slice(0, MAX_LINE).replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F]/g, ' ');
}

/** Markdown, AsciiDoc and Org put marks before a heading, reStructuredText a line below it. */
function headingIn(line: string, next: string): string | null {
  const marked = /^(?:#{1,6}|={1,6}|\*{1,6})\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return marked.trim().slice(0, 200);
  const isUnderlined = /^([=\-~^"'*+#])\1{2,}\s*$/.test(next) && next.trim().length >= line.trim().length;
  return isUnderlined && /^\S/.test(line) && /\p{L}/u.test(line) ? line.trim().slice(0, 200) : null;
}

export interface FoundDocument {
  readonly folder: HeldFolder;
  readonly name: Name;
  readonly path: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
}

/** The files of a project that are written for people. Links are never followed. */
export async function* findDocuments(root: HeldFolder, signal: AbortSignal): AsyncGenerator<FoundDocument> {
  for await (const { folder, name, names } of walkFiles(root, signal)) {
    if (!isDocument(names.map((one) => one.toString('utf8')))) continue;
    const stats = folder.lookNow(name);
    if (stats === null || !stats.isFile()) continue;
    const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
    yield { folder, name, path: shownPath(joined(names)), size: Number(stats.size), stamp };
  }
}

export function isDocument(names: readonly string[]): boolean {
  const name = names.at(-1)?.toLowerCase() ?? '';
  const isInDocs = names.slice(0, -1).some((folder) => /^docs?$/i.test(folder));
  return isInDocs || /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org)$/.test(name) || /^readme(?:\.|$)/.test(name);
}
