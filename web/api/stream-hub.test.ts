import { expect, test, vi } from 'vitest';
import type { StreamBatch, StreamRequest } from '../../src/protocol/web/stream.ts';
import { StreamHub, type HubMessage, type HubWorld } from './stream-hub.ts';

/** A browser with its tabs: one lock, one channel, and a server under the control of the test. */
class Browser {
  readonly connections: Connection[] = [];
  readonly waits: { readonly ms: number; readonly end: () => void }[] = [];
  readonly #heard = new Map<string, (message: HubMessage) => void>();
  readonly #queue: { readonly tab: string; readonly run: () => Promise<void> }[] = [];
  #leader: string | null = null;

  tab(tab: string): StreamHub {
    const world: HubWorld = {
      tab,
      connect: (request, signal) => this.#connect(request, signal),
      channel: {
        post: (message) => {
          for (const [other, heard] of this.#heard) if (other !== tab) queueMicrotask(() => heard(message));
        },
        listen: (heard) => void this.#heard.set(tab, heard),
      },
      lead: (run) => {
        this.#queue.push({ tab, run });
        this.#next();
      },
      wait: (ms, signal) =>
        ms < 100
          ? Promise.resolve()
          : new Promise((resolve) => {
              this.waits.push({ ms, end: resolve });
              signal.addEventListener('abort', () => resolve());
            }),
    };
    return new StreamHub(world);
  }

  close(tab: string): void {
    this.#heard.delete(tab);
    this.connections.at(-1)?.fail();
    if (this.#leader === tab) this.#leader = null;
    this.#next();
  }

  get last(): Connection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('nobody has connected');
    return last;
  }

  #next(): void {
    if (this.#leader !== null) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#leader = next.tab;
    void next.run();
  }

  #connect(request: StreamRequest, signal: AbortSignal): AsyncIterable<'open' | StreamBatch> {
    const connection = new Connection(request, signal);
    this.connections.push(connection);
    return connection;
  }
}

class Connection {
  readonly request: StreamRequest;
  #ready: (() => void) | null = null;
  readonly #things: ('open' | 'end' | StreamBatch)[] = [];

  constructor(request: StreamRequest, signal: AbortSignal) {
    this.request = request;
    signal.addEventListener('abort', () => this.say('end'));
  }

  say(thing: 'open' | 'end' | StreamBatch): void {
    this.#things.push(thing);
    this.#ready?.();
  }

  fail(): void {
    this.say('end');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<'open' | StreamBatch> {
    for (;;) {
      const thing = this.#things.shift();
      if (thing === 'end') throw new Error('gone');
      if (thing !== undefined) yield thing;
      else await new Promise<void>((resolve) => (this.#ready = resolve));
    }
  }
}

const records = (run: string, ...seqs: readonly number[]): StreamBatch => ({
  records: seqs.map((seq) => ({ run, record: { seq, at: 0, commit: seq, fact: { kind: 'run.resumed', epoch: 1 } } })),
  cards: [],
  texts: [],
  lost: [],
});

const seqsOf = (batches: readonly StreamBatch[]): readonly number[] =>
  batches.flatMap((batch) => batch.records.map(({ record }) => record.seq));

function follower(hub: StreamHub, root: string, at = 0) {
  const heard: StreamBatch[] = [];
  const stop = hub.follow({
    root,
    cursor: () => ({ [root]: Math.max(at, ...seqsOf(heard)) }),
    heard: (batch) => void heard.push(batch),
  });
  return { heard, stop };
}

test('[U2] many tabs have one connection, and all hear what comes', async () => {
  const browser = new Browser();
  const [one, two] = [browser.tab('one'), browser.tab('two')];
  const a = follower(one, 'r1');
  const b = follower(two, 'r1');
  await vi.waitFor(() => expect(browser.last.request).toEqual({ cards: false, after: { r1: 0 } }), 30_000);
  browser.last.say('open');
  browser.last.say(records('r1', 1, 2));
  await vi.waitFor(
    () =>
      expect([seqsOf(a.heard), seqsOf(b.heard)]).toEqual([
        [1, 2],
        [1, 2],
      ]),
    30_000,
  );
  await vi.waitFor(() => expect([one.link().kind, two.link().kind]).toEqual(['live', 'live']), 30_000);
  expect(browser.connections).toHaveLength(1);
});

test('[U2] a lost connection is tried again from the newest record, and the page says so meanwhile', async () => {
  const browser = new Browser();
  const hub = browser.tab('one');
  follower(hub, 'r1', 5);
  await vi.waitFor(() => expect(browser.connections).toHaveLength(1), 30_000);
  browser.last.say('open');
  browser.last.say(records('r1', 6, 7));
  await vi.waitFor(() => expect(hub.link()).toEqual({ kind: 'live', opening: 1 }), 30_000);
  browser.last.fail();
  await vi.waitFor(() => expect(hub.link().kind).toBe('lost'), 30_000);
  hub.hurry();
  await vi.waitFor(() => expect(browser.connections).toHaveLength(2), 30_000);
  expect(browser.last.request.after).toEqual({ r1: 7 });
  browser.last.say('open');
  await vi.waitFor(() => expect(hub.link()).toEqual({ kind: 'live', opening: 2 }), 30_000);
});

test('[U2] when the leader closes, the next tab leads with what every other tab wants', async () => {
  const browser = new Browser();
  const hubs = [browser.tab('one'), browser.tab('two'), browser.tab('three')] as const;
  follower(hubs[0], 'r1');
  const b = follower(hubs[1], 'r2', 3);
  follower(hubs[2], 'r3', 4);
  await vi.waitFor(() => expect(browser.last.request.after).toEqual({ r1: 0, r2: 3, r3: 4 }), 30_000);
  browser.last.say('open');
  browser.last.say(records('r2', 4));
  await vi.waitFor(() => expect(seqsOf(b.heard)).toEqual([4]), 30_000);
  browser.close('one');
  await vi.waitFor(() => expect(browser.last.request.after).toEqual({ r2: 4, r3: 4 }), 30_000);
});

test('[U2] a tab that comes later and stands further back is given what it lacks', async () => {
  const browser = new Browser();
  follower(browser.tab('one'), 'r1', 10);
  await vi.waitFor(() => expect(browser.connections).toHaveLength(1), 30_000);
  browser.last.say('open');
  browser.last.say(records('r1', 11, 12));
  const late = browser.tab('two');
  await vi.waitFor(() => expect(browser.connections).toHaveLength(1), 30_000);
  const b = follower(late, 'r1', 9);
  await vi.waitFor(() => expect(browser.last.request.after).toEqual({ r1: 9 }), 30_000);
  browser.last.say('open');
  browser.last.say(records('r1', 10, 11, 12));
  await vi.waitFor(() => expect(seqsOf(b.heard)).toContain(10), 30_000);
});

test('[U2] waits grow while the server stays away, and are short again after it was there', async () => {
  const browser = new Browser();
  const hub = browser.tab('one');
  follower(hub, 'r1');
  const waited: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    await vi.waitFor(() => expect(browser.connections).toHaveLength(round), 30_000);
    const before = browser.waits.length;
    browser.last.fail();
    await vi.waitFor(() => expect(browser.waits.length).toBeGreaterThan(before), 30_000);
    const wait = browser.waits.at(-1);
    waited.push(wait?.ms ?? 0);
    wait?.end();
  }
  expect(waited).toEqual([500, 1000, 2000]);
  await vi.waitFor(() => expect(browser.connections).toHaveLength(4), 30_000);
  browser.last.say('open');
  await vi.waitFor(() => expect(hub.link().kind).toBe('live'), 30_000);
  const before = browser.waits.length;
  browser.last.fail();
  await vi.waitFor(() => expect(browser.waits.length).toBeGreaterThan(before), 30_000);
  expect(browser.waits.at(-1)?.ms).toBe(250);
});
