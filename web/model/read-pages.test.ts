import { describe, expect, test, vi } from 'vitest';
import type { Definition } from '../../src/core/model/definition.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { RunStore, type RunSource } from './run-store.ts';
import { recordedLines } from './testing/recorded-tree.ts';

const LINES: readonly PageRecord[] = recordedLines('demo');
const ROOT = LINES[0]?.run ?? '';
const PAGE = 10;

/** The pages of a recorded run. */
class Pages implements RunSource {
  readonly asked: string[] = [];
  isFollowed = false;
  heard: ((batch: StreamBatch) => void) | null = null;

  async tree() {
    this.asked.push('tree');
    return [{ run: ROOT, parent: null }];
  }

  async page(run: string, after: number) {
    this.asked.push(`page ${after}`);
    const records = LINES.slice(after, after + PAGE);
    const isLast = after + PAGE >= LINES.length;
    return { run, records, seq: LINES.length, after: isLast ? null : after + PAGE };
  }

  async definition(): Promise<Definition> {
    throw new Error('It is not needed here.');
  }

  follow(_root: string, _cursor: unknown, heard: (batch: StreamBatch) => void) {
    this.isFollowed = true;
    this.heard = heard;
    return () => undefined;
  }
}

/** How many records were shown, until all was read. */
async function shownCounts(now: () => number): Promise<readonly number[]> {
  const store = new RunStore(ROOT, new Pages(), now);
  const counts: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  store.subscribe(() => {
    counts.push(store.get().runs.get(ROOT)?.count ?? 0);
    if (store.get().isLoaded) resolve();
  });
  const close = store.open();
  await promise;
  close();
  return counts;
}

describe('[U2] reading a long run', () => {
  test('pages that come quickly are drawn together, once', async () => {
    expect(await shownCounts(() => 0)).toEqual([LINES.length]);
  });

  test('while they come slowly, what there is so far is shown', async () => {
    let time = 0;
    const counts = await shownCounts(() => (time += 1000));
    expect(counts[0]).toBe(PAGE);
    expect(counts.at(-1)).toBe(LINES.length);
  });

  test('the first page is asked for at once, and each next one before the last is folded', async () => {
    const source = new Pages();
    const store = new RunStore(ROOT, source);
    const page = source.page.bind(source);
    const known: number[] = [];
    source.page = async (run, after) => {
      known.push(store.get().runs.get(ROOT)?.count ?? 0);
      return await page(run, after);
    };
    const close = store.open();
    expect(source.asked).toEqual(['tree', 'page 0']);
    await expect.poll(() => source.isFollowed).toBe(true);
    close();
    expect(known.slice(0, 3)).toEqual([0, 0, PAGE]);
    expect(store.get().runs.get(ROOT)?.count).toBe(LINES.length);
  });
});

test('[U2] where drawing takes long, news wait and are drawn together', async () => {
  vi.useFakeTimers();
  let time = 0;
  const source = new Pages();
  const store = new RunStore(ROOT, source, () => time);
  const close = store.open();
  await vi.waitFor(() => expect(source.isFollowed).toBe(true), 30_000);
  await vi.advanceTimersByTimeAsync(1000);
  const listener = vi.fn<() => void>(() => void (time += 200));
  store.subscribe(listener);
  const text = { run: ROOT, task: 't1', agent: 'ada', offset: 0, text: 'a' };
  const hear = (): void => source.heard?.({ records: [], cards: [], texts: [text], lost: [] });
  hear();
  await vi.advanceTimersByTimeAsync(1);
  expect(listener).toHaveBeenCalledTimes(1);
  for (let news = 0; news < 10; news += 1) hear();
  await vi.advanceTimersByTimeAsync(150);
  expect(listener).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(listener).toHaveBeenCalledTimes(2);
  close();
  vi.useRealTimers();
});
