import { useEffect, useSyncExternalStore } from 'react';
import { type HubMessage, type HubWorld, type Link, StreamHub } from './stream-hub.ts';
import type { StreamBatch, StreamRequest } from '../../src/protocol/web/stream.ts';
import { problemOf, sent } from './client.ts';
import { session } from './session.ts';

/** Server-sent events from the pieces they come in. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Keeps what is not whole yet. */
export class SseReader {
  #rest = '';

  take(piece: string): readonly ServerEvent[] {
    const blocks = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

function eventOf(block: string): ServerEvent | null {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const data = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2] ?? ''] : []));
  if (data.length === 0) return null;
  return { event: fields.findLast((field) => field?.[1] === 'event')?.[2] ?? 'message', data: data.join('\n') };
}

/** The hub of this tab, on what the browser has: Web Locks choose the leader, a BroadcastChannel is the way between tabs. */
function browserHub(): StreamHub {
  const channel = new BroadcastChannel('troupe');
  const world: HubWorld = {
    tab: crypto.randomUUID(),
    connect,
    channel: {
      post: (message) => channel.postMessage(message),
      listen: (heard) => {
        channel.onmessage = ({ data }: MessageEvent<HubMessage>) => heard(data);
      },
    },
    lead: (run) => void navigator.locks.request('troupe-stream', run),
    wait,
  };
  const hub = new StreamHub(world);
  window.addEventListener('pagehide', () => hub.leave());
  window.addEventListener('online', () => hub.hurry());
  session.subscribe(() => hub.hurry());
  const share = sharedKey(hub);
  hub.subscribe(share);
  session.subscribe(share);
  // A tab that slept may have missed what was passed on.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    hub.announce();
    hub.hurry();
  });
  return hub;
}

/** Where a stream is open another tab was given the key, which is everybody's: tried once for each opening. */
function sharedKey(hub: StreamHub): () => void {
  let tried = 0;
  return () => {
    const { kind, opening } = hub.link();
    if (session.state() !== 'locked' || kind !== 'live' || opening === tried) return;
    tried = opening;
    queueMicrotask(() => void session.open(null));
  };
}

/** The server says something at least every few seconds; a silence this long is a connection that is gone. */
const SILENCE_MS = 45_000;

async function* connect(request: StreamRequest, given: AbortSignal): AsyncGenerator<'open' | StreamBatch> {
  const openings = session.openings();
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const signal = AbortSignal.any([given, silence.signal]);
  try {
    const answer = await sent('/api/stream', { method: 'POST', body: JSON.stringify(request), signal });
    if (!answer.ok || answer.body === null) {
      const problem = problemOf(answer.status, await answer.json().catch(() => null));
      if (answer.status === 401) session.lock(problem, openings);
      throw problem;
    }
    yield 'open';
    const reader = new SseReader();
    for await (const piece of pieces(answer.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const { event, data } of reader.take(piece)) {
        if (event === 'batch') yield JSON.parse(data) as StreamBatch;
        // The token is good no longer.
        if (event === 'ended') session.lock(problemOf(401, JSON.parse(data)), openings);
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Not every browser can be asked for the pieces of a stream in a loop. */
async function* pieces(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

let made: StreamHub | null = null;

/** Made when first used. */
export function hub(): StreamHub {
  made ??= browserHub();
  return made;
}

export function useLink(): Link {
  return useSyncExternalStore(hub().subscribe, hub().link);
}

/** Calls back when the user comes back to the window, perhaps from a terminal: no stream reports what was done with git there. */
export function useWindowFocus(returned: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', returned);
    return () => window.removeEventListener('focus', returned);
  }, [returned]);
}
