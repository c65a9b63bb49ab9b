import { DatabaseSync } from 'node:sqlite';
import { MAX_SECTIONS } from './sections.ts';
import type { Section } from './sections.ts';

/** Around each word that was found. */
export const FOUND = { start: '\u0001', end: '\u0002' } as const;

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

/** Of the tables and of how documents are cut. */
const VERSION = 1;
