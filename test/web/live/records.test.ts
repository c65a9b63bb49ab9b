import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiError } from '../../../src/protocol/web/api-error.ts';
import type { PageRecord, RecordPage } from '../../../src/protocol/web/record-page.ts';
import type { TreePage } from '../../../src/protocol/web/tree-page.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { calls, said, WrittenRun } from './written-run.ts';

let server: LiveServer;
beforeEach(async () => void (server = await openLiveServer()));
afterEach(() => server.close());

test('[U2] [WL1] records come in pages, each with where the next begins', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(...Array.from({ length: 98 }, (_, index) => said(`line ${index}`)));
  const seen: number[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: RecordPage = await server.get(`/api/runs/a/records?after=${after}&limit=40`);
    expect(page).toMatchObject({ run: 'a', seq: 100 });
    expect(page.records.every((line) => line.run === 'a')).toBe(true);
    seen.push(...page.records.map(({ record }) => record.seq));
    ({ after } = page);
  }
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  // Also to somebody who believes to know more of it: it may have been put back from a copy.
  for (const known of [100, 300]) {
    const rest: RecordPage = await server.get(`/api/runs/a/records?after=${known}`);
    expect(rest).toEqual({ run: 'a', records: [], seq: 100, after: null });
  }
});

test(
  '[U2] [WL2] messages of 10 MB each: a page stays small, and each can be had whole',
  { timeout: 60_000 },
  async () => {
    const run = await WrittenRun.begin(server.journal, 'a');
    const large = 'é'.repeat(10_000_000);
    for (let count = 0; count < 3; count += 1) await run.add(said(`${count}${large}`));
    const text = await (await fetch(`${server.url}/api/runs/a/records`)).text();
    expect(text.length).toBeLessThan(100_000);
    const page = JSON.parse(text) as RecordPage;
    expect(page.records).toHaveLength(5);
    expect(page.records[2]?.cut).toEqual([{ path: ['message', 'content'], length: 10_000_001 }]);
    const whole: PageRecord = await server.get('/api/runs/a/records/3');
    expect(whole.cut).toBeUndefined();
    expect(whole.record.fact).toEqual(said(`0${large}`));
  },
);

test('[U2] [WL1] a page ends at four megabytes, and goes on behind the last record it had', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  const middling = 'x'.repeat(19_000);
  for (let count = 0; count < 5; count += 1) await run.add(...Array.from({ length: 60 }, () => said(middling)));
  const first: RecordPage = await server.get('/api/runs/a/records');
  expect(JSON.stringify(first).length).toBeLessThanOrEqual(4.1 * 1024 * 1024);
  expect(first.records.length).toBeGreaterThan(200);
  const second: RecordPage = await server.get(`/api/runs/a/records?after=${first.after}`);
  expect([...first.records, ...second.records].map(({ record }) => record.seq)).toEqual(
    Array.from({ length: 302 }, (_, index) => index + 1),
  );
  expect(second.after).toBeNull();
});

test('[U2] the tree of a run is sent parents first', async () => {
  const root = await WrittenRun.begin(server.journal, 'a');
  await root.add(calls('t1'));
  await WrittenRun.begin(server.journal, 'a/t1', { parent: 'a' });
  await WrittenRun.begin(server.journal, 'b');
  await WrittenRun.begin(server.journal, 'a/t1/t4', { parent: 'a/t1' });
  await WrittenRun.begin(server.journal, 'a/t2', { parent: 'a' });
  const tree: TreePage = await server.get('/api/runs/a/tree');
  expect(tree.runs.map(({ run, parent, seq }) => [run, parent, seq])).toEqual([
    ['a', null, 3],
    ['a/t1', 'a', 2],
    ['a/t1/t4', 'a/t1', 2],
    ['a/t2', 'a', 2],
  ]);
  const below: TreePage = await server.get(`/api/runs/${encodeURIComponent('a/t1')}/tree`);
  expect(below.runs).toHaveLength(2);
});

test.each([
  ['/api/runs/nobody/records', 404, 'RUN_UNKNOWN'],
  ['/api/runs/nobody/events', 404, 'RUN_UNKNOWN'],
  ['/api/runs/nobody/tree', 404, 'RUN_UNKNOWN'],
  ['/api/runs/a/records?after=-1', 400, 'REQUEST_INVALID'],
  ['/api/runs/a/records?limit=10001', 400, 'REQUEST_INVALID'],
  ['/api/runs/a/records/0', 404, 'RECORD_UNKNOWN'],
  ['/api/runs/a/records/3', 404, 'RECORD_UNKNOWN'],
  ['/api/runs/a/records/1e1', 404, 'RECORD_UNKNOWN'],
  ['/api/runs?limit=0', 400, 'REQUEST_INVALID'],
  ['/api/runs?column=all', 400, 'REQUEST_INVALID'],
  ['/api/runs?after=nobody', 404, 'RUN_UNKNOWN'],
  ['/api/search?text=', 400, 'REQUEST_INVALID'],
  ['/api/search?text=x&run=nobody', 404, 'RUN_UNKNOWN'],
])('[U2] %s is answered with %i %s', async (path, status, code) => {
  await WrittenRun.begin(server.journal, 'a');
  const answer = await fetch(server.url + path);
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as ApiError).error.code).toBe(code);
});
