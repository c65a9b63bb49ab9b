/** What a process of Node's still holds after a collection: what it uses beyond that says only how lazy the collector was. */
export class LiveHeap {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: Answer) => void>();
  #count = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { readonly id: number; readonly result: Answer };
      this.#waiting.get(id)?.(result);
    });
  }

  /** By the address its inspector has told. */
  static async of(address: string): Promise<LiveHeap> {
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error(`No inspector answers at ${address}.`)));
    });
    return new LiveHeap(socket);
  }

  async megabytes(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage');
    const used = await this.#ask('Runtime.getHeapUsage');
    return (used.usedSize ?? 0) / 1_048_576;
  }

  #ask(method: string): Promise<Answer> {
    const id = (this.#count += 1);
    this.#socket.send(JSON.stringify({ id, method }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}

interface Answer {
  readonly usedSize?: number;
}
