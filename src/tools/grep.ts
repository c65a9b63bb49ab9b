import { shownPath, splitPath } from '../lib/confined-path.ts';
import { readHeldFileNow } from '../lib/held-file.ts';
import { type HeldFolder, holdFolder, type Name } from '../lib/held-folder.ts';
import { defineTool, refusedTool, objectSchema } from './define-tool.ts';
import { isBinary, joined, walkFiles } from './folder-access.ts';
import { Worker } from 'node:worker_threads';

export const grepTool = defineTool<{ pattern: string; path?: string; ignore_case?: boolean }>({
  name: 'grep',
  description:
    'Search the lines of files for a JavaScript regular expression. Skips .git, .troupe, node_modules, binary and very large files.',
  parameters: objectSchema(['pattern'], {
    pattern: { type: 'string', minLength: 1, maxLength: 1000 },
    path: {
      type: 'string',
      description: 'A file or folder',
    },
    ignore_case: { type: 'boolean' },
  }),
  repeat: 'safe',
  access: 'read',
  async run({ pattern, path = '.', ignore_case: ignoreCase = false }, { folder, signal }) {
    const expression = compile(pattern, ignoreCase);
    if (expression === null) return refusedTool('pattern is not a regular expression.');
    const names = splitPath(path);
    const search = new LineSearch(expression, { timeoutMs: MAX_MS, signal });
    const report = new Report(search);
    try {
      for await (const file of filesAt({ root: folder, names, signal })) {
        await report.add(file);
        if (report.isFull) break;
      }
      await report.flush();
    } finally {
      await search.close();
    }
    return report.text();
  },
});

const MAX_MS = 10_000;
const MAX_MATCHES = 200;
const BATCH_BYTES = 1024 * 1024;
const BATCH_FILES = 100;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

/** With Unicode rules where the pattern allows them; many patterns people write do not. */
function compile(pattern: string, ignoreCase: boolean): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, ignoreCase ? `${flags}i` : flags);
    } catch {
      // The next flags, or none are left.
    }
  }
  return null;
}

interface SearchedFile {
  readonly folder: HeldFolder;
  readonly name: Name;
  readonly shown: string;
}

async function* filesAt(options: {
  root: string;
  names: readonly string[];
  signal: AbortSignal;
}): AsyncGenerator<SearchedFile> {
  const { root, names, signal } = options;
  const last = names.at(-1);
  const parent = await holdFolder({ root, names: names.slice(0, -1) });
  try {
    const isFile = last !== undefined && (await parent.look(last))?.isFile() === true;
    if (isFile) yield { folder: parent, name: last, shown: shownPath(names.join('/')) };
    else yield* filesBelow(parent, { last, names, signal });
  } finally {
    await parent.close();
  }
}

async function* filesBelow(
  parent: HeldFolder,
  options: { last: string | undefined; names: readonly string[]; signal: AbortSignal },
): AsyncGenerator<SearchedFile> {
  const start = options.last === undefined ? parent : await parent.child(options.last);
  const prefix = options.names.map((name) => Buffer.from(name));
  try {
    for await (const entry of walkFiles(start, options.signal)) {
      yield { folder: entry.folder, name: entry.name, shown: shownPath(joined([...prefix, ...entry.names])) };
    }
  } finally {
    if (start !== parent) await start.close();
  }
}

/** The matches, and the files left out with their reasons. Files go to the search in batches. */
class Report {
  readonly #search: LineSearch;
  readonly #lines: string[] = [];
  readonly #tooLarge: string[] = [];
  #batch: { readonly shown: string; readonly text: string }[] = [];
  #batchBytes = 0;
  #totalBytes = 0;

  constructor(search: LineSearch) {
    this.#search = search;
  }

  get isFull(): boolean {
    return this.#lines.length > MAX_MATCHES || this.#totalBytes > MAX_TOTAL_BYTES;
  }

  async add({ folder, name, shown }: SearchedFile): Promise<void> {
    const bytes = readHeldFileNow(folder, name, { maxBytes: MAX_FILE_BYTES });
    if (bytes === null) this.#tooLarge.push(shown);
    if (bytes === null || isBinary(bytes)) return;
    this.#batch.push({ shown, text: bytes.toString('utf8') });
    this.#batchBytes += bytes.length;
    if (this.#batchBytes > BATCH_BYTES || this.#batch.length >= BATCH_FILES) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#totalBytes += this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
    for (const { at, line, text } of await this.#search.find(batch.map((file) => file.text))) {
      this.#lines.push(`${batch[at]?.shown}:${line}: ${text}`);
    }
  }

  text(): string {
    const shown = this.#lines.slice(0, MAX_MATCHES);
    if (shown.length === 0) shown.push('No line matches.');
    if (this.isFull) shown.push('[… there may be more; the search was cut short. Use a narrower path or pattern …]');
    if (this.#tooLarge.length > 0) {
      const some = this.#tooLarge.slice(0, 5).join(', ');
      shown.push(`[not searched, too large: ${this.#tooLarge.length} files, such as ${some}]`);
    }
    return shown.join('\n');
  }
}

/**
 * Looks for a regular expression line by line in a worker, since an expression from outside can be made to run for ever.
 * Ending the worker ends the expression.
 */
export class LineSearch {
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #waiting: PromiseWithResolvers<readonly FoundLine[]> | null = null;
  #failure: Error | null = null;

  constructor(expression: RegExp, options: { readonly timeoutMs: number; readonly signal: AbortSignal }) {
    const workerData = { source: expression.source, flags: expression.flags };
    // Source text rather than a file, so that the worker is found again after everything was bundled into one.
    this.#worker = new Worker(SEARCH, {
      eval: true,
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    this.#worker.on('message', (found: readonly FoundLine[]) => this.#settle(found));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#timer = setTimeout(() => this.#fail(new SearchTimeout(options.timeoutMs)), options.timeoutMs);
    this.#signal = options.signal;
    this.#signal.addEventListener('abort', this.#onAbort);
  }

  /** One batch at a time. */
  find(texts: readonly string[]): Promise<readonly FoundLine[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#waiting = Promise.withResolvers();
    this.#worker.postMessage(texts, []);
    return this.#waiting.promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    await this.#worker.terminate();
  }

  readonly #onAbort = () => this.#fail(new Error('cancelled'));

  #settle(found: readonly FoundLine[]): void {
    this.#waiting?.resolve(found);
    this.#waiting = null;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = null;
    void this.#worker.terminate();
  }
}

export interface FoundLine {
  /** Which of the texts, counted from 0. */
  readonly at: number;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';

  constructor(timeoutMs: number) {
    super(`The search was stopped after ${timeoutMs / 1000} s. Use a simpler pattern or search fewer files.`);
  }
}

/** Long lines are searched in their first 10,000 characters, and shown in fewer. */
const SEARCH = `
  const { parentPort, workerData } = require('node:worker_threads');
  const expression = new RegExp(workerData.source, workerData.flags);
  parentPort.on('message', (texts) => {
    const found = [];
    for (const [at, text] of texts.entries()) {
      const lines = text.split('\\n');
      for (let number = 0; number < lines.length && found.length < 1000; number += 1) {
        const line = lines[number].slice(0, 10000);
        if (expression.test(line)) found.push({ at, line: number + 1, text: line.slice(0, 300).trimEnd() });
      }
    }
    parentPort.postMessage(found);
  });
`;
