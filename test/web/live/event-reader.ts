/** One server-sent event as it came. */
export interface SentEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

export interface OpenEvents {
  readonly response: Response;
  /** The next event; comments are left out. Null at the end of the stream. */
  next(): Promise<SentEvent | null>;
  /** Until what came fits. */
  until(isEnough: (events: readonly SentEvent[]) => boolean): Promise<readonly SentEvent[]>;
  close(): void;
}

/** Reads a stream of server-sent events as a browser does. */
export async function openEvents(url: string, init: RequestInit = {}): Promise<OpenEvents> {
  const stopped = new AbortController();
  const response = await fetch(url, { ...init, signal: stopped.signal });
  const events = readEvents(response);
  const next = async (): Promise<SentEvent | null> => {
    const { value } = await events.next();
    return value ?? null;
  };
  return {
    response,
    next,
    async until(isEnough) {
      const seen: SentEvent[] = [];
      while (!isEnough(seen)) {
        const event = await next();
        if (event === null) throw new Error(`The stream ended after ${seen.length} events.`);
        seen.push(event);
      }
      return seen;
    },
    close: () => stopped.abort(),
  };
}

async function* readEvents(response: Response): AsyncGenerator<SentEvent> {
  let rest = '';
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks.map(parse).filter((event) => event !== null);
  }
}

function parse(block: string): SentEvent | null {
  const fields = new Map(block.split('\n').map((line) => splitAt(line, ': ')));
  const data = fields.get('data');
  return data === undefined ? null : { event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data };
}

function splitAt(line: string, mark: string): [string, string] {
  const at = line.indexOf(mark);
  return [line.slice(0, at), line.slice(at + mark.length)];
}
