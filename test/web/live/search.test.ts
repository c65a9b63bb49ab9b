import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SearchPage } from '../../../src/protocol/web/search-page.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { said, WrittenRun } from './written-run.ts';

let server: LiveServer;
beforeEach(async () => void (server = await openLiveServer()));
afterEach(() => server.close());

const search = (query: Record<string, string>): Promise<SearchPage> =>
  server.get(`/api/search?${new URLSearchParams(query).toString()}`);

test('[U2] [WL13] a text is found in the records of a run and of those below it, with an exact count', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(said('The Needle in the hay: needle!'), said('hay'));
  await run.add(...Array.from({ length: 500 }, (_, index) => said(`needle ${index}`)));
  const child = await WrittenRun.begin(server.journal, 'a/t1', { parent: 'a' });
  await child.add(said(`${'before '.repeat(50)}NEEDLE${' after'.repeat(50)}`));
  await (await WrittenRun.begin(server.journal, 'b')).add(said('needle'));
  const page = await search({ text: 'needle', run: 'a', limit: '3' });
  expect(page).toMatchObject({ count: 503, places: 502, isWhole: true });
  expect(page.hits).toHaveLength(3);
  expect(page.hits[0]).toMatchObject({
    run: 'a',
    seq: 3,
    kind: 'message.added',
    path: ['message', 'content'],
    excerpt: 'The Needle in the hay: needle!',
    offset: 4,
    count: 2,
  });
  const below = await search({ text: 'NeEdLe', run: 'a/t1' });
  expect(below).toMatchObject({ count: 1, places: 1 });
  const hit = below.hits[0];
  expect(hit?.excerpt.length).toBeLessThan(200);
  expect(hit?.excerpt.slice(hit.offset, hit.offset + 6)).toBe('NEEDLE');
});

test('[U2] [WL13] what looks like a pattern is text, and names of fields are none', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(said(String.raw`a.*b [c] \d $ (x|y) {2} / -`));
  const found = ['a.*b', '[c]', String.raw`\d`, '$', '(x|y)', '{2}', '/ -'].map((q) => search({ text: q, run: 'a' }));
  expect((await Promise.all(found)).map(({ places }) => places)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(await search({ text: 'author', run: 'a' })).toMatchObject({ count: 0, hits: [] });
});

test('[U2] [WL13] without a run, runs are found by what they are about and by what came out of them', async () => {
  await (await WrittenRun.begin(server.journal, 'a', { title: 'Mend the parser' })).settle();
  await (await WrittenRun.begin(server.journal, 'b')).settle('ok', 'the parser is faster now');
  await WrittenRun.begin(server.journal, 'c', { workflow: 'parsers' });
  await (await WrittenRun.begin(server.journal, 'd')).settle();
  const page = await search({ text: 'PARSER' });
  expect(page.hits.map(({ run, seq, kind }) => [run, seq, kind])).toEqual([
    ['c', null, 'run'],
    ['b', 3, 'run.settled'],
    ['a', null, 'run'],
  ]);
  expect(page).toMatchObject({ count: 3, places: 3, isWhole: true });
});
