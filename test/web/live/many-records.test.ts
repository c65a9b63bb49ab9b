import { afterEach, expect, test } from 'vitest';
import type { RecordPage } from '../../../src/protocol/web/record-page.ts';
import type { RunPage } from '../../../src/protocol/web/run-card.ts';
import type { SearchPage } from '../../../src/protocol/web/search-page.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { said, WrittenRun } from './written-run.ts';

const RECORDS = 100_000;
const AT_ONCE = 2000;

let server: LiveServer | null = null;
afterEach(() => server?.close());

/** A run of so many records, with a word that stands in one of them. */
async function written({ journal }: LiveServer): Promise<WrittenRun> {
  const run = await WrittenRun.begin(journal, 'long', { title: 'A very long run' });
  while (run.seq < RECORDS - 1) {
    const count = Math.min(AT_ONCE, RECORDS - 1 - run.seq);
    await run.add(...Array.from({ length: count }, (_, place) => said(`word${run.seq + place + 1} of many`)));
  }
  await run.settle();
  return run;
}

test(
  '[U2] [WL1] a hundred thousand records: pages come to the last one with each of them once, the board shows the run, and a search finds a word',
  { timeout: 300_000 },
  async () => {
    const here = await openLiveServer({ searchMs: 240_000 });
    server = here;
    expect((await written(here)).seq).toBe(RECORDS);

    const board: RunPage = await here.get('/api/runs');
    expect(board.cards).toMatchObject([{ run: 'long', title: 'A very long run', seq: RECORDS, status: 'settled' }]);

    const seen: number[] = [];
    for (let after: number | null = 0; after !== null && seen.length <= RECORDS;) {
      const page: RecordPage = await here.get(`/api/runs/long/records?after=${after}&limit=2000`);
      seen.push(...page.records.map(({ record }) => record.seq));
      after = page.after;
    }
    expect(seen).toHaveLength(RECORDS);
    expect(seen.findIndex((seq, place) => seq !== place + 1)).toBe(-1);

    const found: SearchPage = await here.get('/api/search?text=WORD77777%20of&run=long');
    expect(found).toMatchObject({ count: 1, isWhole: true, hits: [{ run: 'long', seq: 77_777 }] });
    const titles: SearchPage = await here.get('/api/search?text=very%20long');
    expect(titles).toMatchObject({ hits: [{ run: 'long', seq: null }] });
    await expect
      .poll(async () => (await here.get<RunPage>('/api/runs')).cards[0]?.details?.state, { timeout: 120_000 })
      .toBe('first');
    expect(await here.get('/api/runs?text=very')).toMatchObject({ counts: { done: 1 } });
  },
);
