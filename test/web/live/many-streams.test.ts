import { afterEach, expect, test } from 'vitest';
import { openEvents } from './event-reader.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { WrittenRun } from './written-run.ts';

let server: LiveServer | null = null;
afterEach(() => server?.close());

test('[W6] a client that opens streams without end is refused, all else is served, and a place is free when one is closed', async () => {
  const here = await openLiveServer({ mostStreams: 2 });
  server = here;
  await WrittenRun.begin(here.journal, 'a');
  const url = `${here.url}/api/runs/a/events`;
  const [first, second] = [await openEvents(url), await openEvents(url)];
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toEqual([
    503,
    {
      error: {
        code: 'STREAMS_FULL',
        message: '2 streams are open, which is as many as this server holds.',
        hint: expect.stringContaining('/api/stream'),
      },
    },
  ]);
  const body = JSON.stringify({ cards: true, after: {} });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${here.url}/api/stream`, { method: 'POST', headers, body })).status).toBe(503);
  expect(await here.get('/api/runs')).toMatchObject({ cards: [{ run: 'a' }] });
  expect((await second.next())?.id).toBe('1');
  first.close();
  await expect
    .poll(
      async () => {
        const answer = await fetch(url);
        await answer.body?.cancel();
        return answer.status;
      },
      { timeout: 30_000 },
    )
    .toBe(200);
  second.close();
});
