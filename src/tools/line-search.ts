import { Worker } from 'node:worker_threads';

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
