import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/core/model/definition.ts';
import type { PageRecord } from '../../src/protocol/web/record-page.ts';
import { RunStore, type RunSource } from './run-store.ts';
import { recordedLines } from './testing/recorded-tree.ts';

const ROOT = 'r';
const LINES: readonly PageRecord[] = recordedLines('demo').map((line) => ({ ...line, run: ROOT }));
const PAGE = 10;

/** The pages of a recorded run; what was asked for in which order, and a look at the store while it is read. */
class Pages implements RunSource {
  readonly asked: string[] = [];
  followed = false;

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
    throw new Error('none');
  }

  follow() {
    this.followed = true;
    return () => undefined;
  }
}

/** Counts of records the listeners were shown, until all is read. */
async function shownCounts(source: RunSource, now: () => number): Promise<readonly number[]> {
  const store = new RunStore(ROOT, source, now);
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
    expect(await shownCounts(new Pages(), () => 0)).toEqual([LINES.length]);
  });

  test('while they come slowly, what there is so far is shown', async () => {
    let time = 0;
    const counts = await shownCounts(new Pages(), () => (time += 1000));
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
    await expect.poll(() => source.followed).toBe(true);
    close();
    expect(known.slice(0, 3)).toEqual([0, 0, PAGE]);
    expect(store.get().runs.get(ROOT)?.count).toBe(LINES.length);
  });
});
