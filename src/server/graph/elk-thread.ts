import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';

/**
 * ELK in its own thread: it computes for a long time without a pause, and streams must not wait for it.
 * A layout that takes too long is stopped, and the next one gets a new thread.
 */
export class ElkThread {
  #worker: Worker | null = null;
  #count = 0;
  readonly #open = new Map<number, Waiting>();

  /** Loads it, so that the first layout need not wait for that. */
  warm(): void {
    this.#worker ??= this.#start();
  }

  /** Rejects where ELK fails, or takes too long. */
  layout(graph: ElkNode, timeoutMs = 20_000): Promise<ElkNode> {
    const worker = (this.#worker ??= this.#start());
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => void this.#stop(new Error(`The layout took more than ${timeoutMs} ms.`)),
        timeoutMs,
      );
      this.#open.set(id, { resolve, reject, timer });
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ id, graph });
    });
  }

  #start(): Worker {
    const elk = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
    const worker = new Worker(THREAD, { eval: true, workerData: { elk } });
    worker.on('message', (answer: Answer) => this.#take(answer));
    worker.on('error', (error) => void this.#stop(error instanceof Error ? error : new Error(String(error))));
    // An idle thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  #take({ id, graph, message }: Answer): void {
    const waiting = this.#open.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#open.delete(id);
    if (this.#open.size === 0) this.#worker?.unref();
    if (graph === undefined) waiting.reject(new Error(message ?? 'The layout failed.'));
    else waiting.resolve(graph);
  }

  async #stop(error: Error): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    const waiting = [...this.#open.values()];
    this.#open.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(error);
    }
    await worker?.terminate();
  }
}

interface Waiting {
  readonly resolve: (graph: ElkNode) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

interface Answer {
  readonly id: number;
  readonly graph?: ElkNode;
  readonly message?: string;
}

/** ELK is made for a browser's worker; in Node it brings an object that behaves like one. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Worker } = require(workerData.elk);
  const elk = new Worker();
  const messageOf = (error) => String(error?.message ?? error?.text ?? error);
  elk.onmessage = ({ data }) => {
    if (data.id === 0) return;
    parentPort.postMessage(data.error === undefined ? { id: data.id, graph: data.data } : { id: data.id, message: messageOf(data.error) });
  };
  elk.postMessage({ id: 0, cmd: 'register', algorithms: ['layered'] });
  parentPort.on('message', ({ id, graph }) => elk.postMessage({ id, cmd: 'layout', graph, layoutOptions: {}, options: {} }));
`;
