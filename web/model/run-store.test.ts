import { expect, onTestFinished, test, vi } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { bodyHash } from '../../src/core/model/ids.ts';
import { rewoundState } from '../../src/core/history/rewind.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { ApiProblem } from '../api/client.ts';
import { build, end } from '../../src/host/testing/build-definition.ts';
import { RunStore, type RunSource } from './run-store.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

/** Runs that grow as the test says; what is asked for is written down. */
class World implements RunSource {
  readonly asked: string[] = [];
  readonly runs = new Map<string, PageRecord[]>();
  heard: ((batch: StreamBatch) => void) | null = null;
  cursor: (() => Readonly<Record<string, number>>) | null = null;
  pageSize = 2;

  add(run: string, ...facts: readonly Fact[]): readonly PageRecord[] {
    const lines = this.runs.get(run) ?? [];
    const news = facts.map((fact, index) => {
      const seq = lines.length + index + 1;
      return { run, record: { seq, at: 1000, fact, commit: seq } };
    });
    this.runs.set(run, [...lines, ...news]);
    return news;
  }

  tell(records: readonly PageRecord[], more: Partial<StreamBatch> = {}): void {
    this.heard?.({ records, cards: [], texts: [], lost: [], ...more });
  }

  async tree(root: string) {
    this.asked.push('tree');
    if (!this.runs.has(root)) throw new ApiProblem(404, { code: 'RUN_UNKNOWN', message: 'There is no such run.' });
    return [...this.runs.keys()].map((run) => ({ run, parent: run === root ? null : root }));
  }

  async page(run: string, after: number) {
    this.asked.push(`${run} after ${after}`);
    const lines = this.runs.get(run) ?? [];
    const records = lines.slice(after, after + this.pageSize);
    const last = after + records.length;
    return { run, records, seq: lines.length, after: last < lines.length ? last : null };
  }

  async definition(run: string): Promise<Definition> {
    this.asked.push(`definition of ${run}`);
    return build({ states: [end('stop')] });
  }

  follow(_root: string, cursor: () => Readonly<Record<string, number>>, heard: (batch: StreamBatch) => void) {
    this.asked.push('follow');
    this.cursor = cursor;
    this.heard = heard;
    return () => void (this.heard = null);
  }
}

const resumed: Fact = { kind: 'run.resumed', epoch: 2 };

async function opened(world: World): Promise<{ readonly store: RunStore; readonly close: () => void }> {
  const store = new RunStore('r', world);
  const close = store.open();
  await vi.waitFor(() => expect(store.get().isLoaded || store.get().failure !== null).toBe(true), 30_000);
  return { store, close };
}

test('[U2] history is read page by page with all runs below, and followed from where that came to', async () => {
  const world = new World();
  world.add('r', startedRun('r'), resumed, resumed);
  world.add('r/t1', startedRun('r/t1'));
  const { store } = await opened(world);
  expect([...store.get().runs.values()].map(({ run, count }) => [run, count])).toEqual([
    ['r', 3],
    ['r/t1', 1],
  ]);
  expect(world.cursor?.()).toEqual({ r: 3, 'r/t1': 1 });
  expect(world.asked.indexOf('follow')).toBeGreaterThan(world.asked.indexOf('r/t1 after 0'));
});

test('[U2] what comes twice is taken once; a gap is read again', async () => {
  const world = new World();
  const [first] = world.add('r', startedRun('r'), resumed);
  const { store } = await opened(world);
  if (first !== undefined) world.tell([first]);
  expect(store.get().runs.get('r')?.count).toBe(2);
  const news = world.add('r', resumed, resumed, resumed);
  world.tell(news.slice(2));
  await vi.waitFor(() => expect(store.get().runs.get('r')?.count).toBe(5), 30_000);
  expect(store.get().runs.get('r')?.snapshot.seq).toBe(5);
});

test('[U2] a run that begins below is taken in; one of another tree is not', async () => {
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  world.tell([...world.add('r/t2', startedRun('r/t2')), ...world.add('rr', startedRun('rr'))]);
  expect([...store.get().runs.keys()]).toEqual(['r', 'r/t2']);
});

test('[U2] words that come after the record of their answer are gone when the server says that they are over', async () => {
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  const say = (text: string): void =>
    world.heard?.({
      records: [],
      cards: [],
      texts: [{ run: 'r', task: 't1', agent: 'ada', offset: 0, text }],
      lost: [],
    });
  say('Hello');
  expect([...store.get().words.values()]).toMatchObject([{ text: 'Hello' }]);
  say('');
  expect(store.get().words.size).toBe(0);
});

test('[U2] runs of one definition ask for it once', async () => {
  const world = new World();
  for (const run of ['r', 'r/t1', 'r/t2', 'r/t3']) world.add(run, startedRun(run));
  const { store } = await opened(world);
  await vi.waitFor(() => expect(store.get().runs.get('r/t3')?.definition).not.toBeNull(), 30_000);
  expect(world.asked.filter((word) => word.startsWith('definition'))).toEqual(['definition of r']);
});

test('[U2] [ST5] a run that goes on with another definition has the other one, and the first again when it is put back', async () => {
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  const before = store.get().runs.get('r');
  await vi.waitFor(() => expect(store.get().runs.get('r')?.definition).not.toBeNull(), 30_000);
  const first = store.get().runs.get('r')?.definition;
  world.tell(world.add('r', { kind: 'run.redefined', definition: bodyHash('h2'), by: 'ada' }));
  await vi.waitFor(() => expect(store.get().runs.get('r')?.definition).not.toBe(first), 30_000);
  if (before === undefined) throw new Error('It was not read.');
  const state = { ...rewoundState(before.snapshot, 2000), definition: before.snapshot.definition };
  world.tell(world.add('r', { kind: 'run.rewound', to: 1, by: 'ada', state }));
  await vi.waitFor(() => expect(store.get().runs.get('r')?.definition).toBe(first), 30_000);
  expect(world.asked.filter((word) => word.startsWith('definition'))).toHaveLength(2);
});

test('[U2] a run that is not there, or is lost on the way, says why', async () => {
  const missing = await opened(new World());
  expect(missing.store.get().failure).toMatchObject({ code: 'RUN_UNKNOWN' });
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  world.tell([], { lost: [{ run: 'r', code: 'JOURNAL_DAMAGED', message: 'Record 2 is damaged.' }] });
  expect(store.get().failure).toMatchObject({ code: 'JOURNAL_DAMAGED' });
});

test('[U2] a page that is older than its server says so, keeps what it has, and does not ask again and again', async () => {
  const world = new World();
  world.add('r', startedRun('r'), resumed);
  const { store } = await opened(world);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a kind that only a later version knows
  const unheard = { kind: 'run.dreamt', of: 'sheep' } as unknown as Fact;
  world.tell(world.add('r', unheard));
  expect(store.get().failure?.message).toContain('reload it');
  expect(store.get().runs.get('r')?.count).toBe(2);
  expect(world.heard).toBeNull();
});

test('[U2] records of other runs change nothing here', async () => {
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  const before = store.get();
  world.tell(world.add('rr', startedRun('rr')), {
    texts: [{ run: 'rr', task: 'k', agent: 'a', offset: 0, text: 'x' }],
  });
  expect(store.get()).toBe(before);
});

test('[U2] words on the way go when the answer is there', async () => {
  const world = new World();
  world.add('r', startedRun('r'));
  const { store } = await opened(world);
  const text = (offset: number, words: string) => ({ run: 'r', task: 'k1', agent: 'a', offset, text: words });
  world.tell([], { texts: [text(0, 'Hel'), text(3, 'lo')] });
  expect([...store.get().words.values()].map((one) => one.text)).toEqual(['Hello']);
  world.tell([], { texts: [text(0, 'Anew')] });
  expect([...store.get().words.values()].map((one) => one.text)).toEqual(['Anew']);
});

test('[U2] many changes of one moment are reported once, and after closing nothing is heard', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const world = new World();
  world.add('r', startedRun('r'));
  const { store, close } = await opened(world);
  // The pause after the first drawing is over, however slow this machine is.
  await vi.advanceTimersByTimeAsync(1000);
  const listener = vi.fn<() => void>();
  store.subscribe(listener);
  world.tell(world.add('r', resumed));
  world.tell(world.add('r', resumed));
  await Promise.resolve();
  expect(listener).toHaveBeenCalledTimes(1);
  close();
  expect(world.heard).toBeNull();
});
