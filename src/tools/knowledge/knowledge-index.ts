import { createHash } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '../../lib/or-else.ts';
import { readHeldFileNow } from '../../lib/held-file.ts';
import { withFolder } from '../../lib/held-folder.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { pathInside } from '../../sandbox/file-space.ts';
import { textOf } from '../folder-access.ts';
import type { KnowledgeAnswer, KnowledgeQuestion, KnowledgeService } from '../port.ts';
import {
  bestLines,
  DocumentStore,
  findDocuments,
  type FoundDocument,
  type FoundSection,
  matchText,
  sectionsOf,
} from './document-store.ts';

/**
 * Full-text search over the documents of working folders (PH9). Before each search the folder is walked and only what
 * changed is read again. The index is kept in memory, or in files of `cacheFolder` that may be deleted at any time.
 */
export class KnowledgeIndex implements KnowledgeService {
  readonly #cacheFolder: string | null;
  /** The folder used last comes last. */
  readonly #stores = new Map<string, DocumentStore>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: { readonly cacheFolder?: string } = {}) {
    this.#cacheFolder = options.cacheFolder ?? null;
  }

  /** One after the other, so that a store is never closed under a search. */
  search(folder: string, question: KnowledgeQuestion): Promise<KnowledgeAnswer> {
    const answer = this.#queue.then(() => this.#searchNow(folder, question));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#queue;
    for (const folder of this.#stores.keys()) this.#forget(folder);
  }

  async #searchNow(folder: string, question: KnowledgeQuestion): Promise<KnowledgeAnswer> {
    try {
      return await searchIn(this.#storeOf(folder), folder, question);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      // A damaged cache is rebuilt.
      this.#forget(folder);
      this.#deleteFile(folder);
      return await searchIn(this.#storeOf(folder), folder, question);
    }
  }

  #storeOf(folder: string): DocumentStore {
    const store = this.#stores.get(folder) ?? this.#openStore(folder);
    this.#stores.delete(folder);
    this.#stores.set(folder, store);
    const oldest = this.#stores.keys().next().value;
    if (this.#stores.size > MAX_STORES && oldest !== undefined) this.#forget(oldest);
    return store;
  }

  #openStore(folder: string): DocumentStore {
    const file = this.#fileOf(folder);
    const store = new DocumentStore(file);
    const now = new Date();
    // Tells what is still in use: a search alone writes nothing.
    if (this.#cacheFolder !== null) utimesSync(file, now, now);
    return store;
  }

  #forget(folder: string): void {
    this.#stores.get(folder)?.close();
    this.#stores.delete(folder);
  }

  #fileOf(folder: string): string {
    if (this.#cacheFolder === null) return ':memory:';
    makeFolder(this.#cacheFolder, 0o700);
    return join(this.#cacheFolder, `${createHash('sha256').update(pathInside(folder)).digest('hex').slice(0, 32)}.db`);
  }

  #deleteFile(folder: string): void {
    if (this.#cacheFolder === null) return;
    for (const ending of ['', '-journal']) rmSync(`${this.#fileOf(folder)}${ending}`, { force: true });
  }
}

const MAX_STORES = 16;
const MAX_DOCUMENTS = 5000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const MAX_OF_ONE_DOCUMENT = 2;

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

async function searchIn(store: DocumentStore, folder: string, question: KnowledgeQuestion): Promise<KnowledgeAnswer> {
  const leftOut = await refresh(store, folder, question.signal);
  const documents = store.stamps().size;
  const match = matchText(question.query);
  const found = match === null ? [] : store.find(match, question.limit * 4);
  const passages = spread(found).slice(0, question.limit);
  return { passages: passages.map((section) => bestLines(section)), documents, leftOut };
}

/** Makes the store agree with the folder; says what was left out and why. */
async function refresh(store: DocumentStore, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const before = store.stamps();
  const seen = new Set<string>();
  const leftOut: string[] = [];
  let bytes = 0;
  await withFolder({ root: folder, names: [] }, async (root) => {
    for await (const document of findDocuments(root, signal)) {
      const tooMuch = seen.size >= MAX_DOCUMENTS || bytes + document.size > MAX_TOTAL_BYTES;
      const isCurrent = before.get(document.path) === document.stamp;
      const reason = tooMuch ? 'too many documents' : isCurrent ? null : readInto(store, document);
      if (reason !== null) {
        leftOut.push(`${document.path} (${reason})`);
        continue;
      }
      seen.add(document.path);
      bytes += document.size;
    }
  });
  for (const path of before.keys()) if (!seen.has(path)) store.delete(path);
  return leftOut;
}

/** Null, or why it cannot be read. */
function readInto(store: DocumentStore, document: FoundDocument): string | null {
  if (document.size > MAX_DOCUMENT_BYTES) return 'too large';
  const bytes = read(document);
  const text = bytes === null ? null : textOf(bytes);
  if (text === null) return 'not UTF-8 text';
  store.put(document.path, document.stamp, sectionsOf(text));
  return null;
}

/** Gone, turned into something else or not permitted since it was listed: then it is no document. */
function read(document: FoundDocument): Buffer | null {
  return orElse(() => readHeldFileNow(document.folder, document.name, { maxBytes: MAX_DOCUMENT_BYTES }), null);
}

/** One long document must not take all the places. */
function spread(found: readonly FoundSection[]): readonly FoundSection[] {
  const counts = new Map<string, number>();
  return found.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MAX_OF_ONE_DOCUMENT;
  });
}
