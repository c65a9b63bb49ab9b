import { readFileSync } from 'node:fs';
import type { StreamBatch } from '../../src/protocol/web/stream.ts';
import { LiveHeap } from '../harness/live-heap.ts';
import { report, settings } from '../harness/report.ts';
import { percentile } from '../harness/statistics.ts';

/** Follows live runs through one stream until all of so many records a run have come: how long each took, and the server's memory. */
const { url, token, pid, inspector, runs, records } = settings() as Record<string, number> &
  Record<'url' | 'token' | 'inspector', string>;
const heap = await LiveHeap.of(inspector);

const expected = (runs ?? 0) * (records ?? 0);
const after = Object.fromEntries(Array.from({ length: runs ?? 0 }, (_, index) => [`live-${index}`, 0]));
const reached = new Map<string, number>();
const delays: number[] = [];
/** How late this machine's own timers are meanwhile: nobody can be told sooner than that. */
const late: number[] = [];
let dueAt = performance.now() + 10;
setInterval(() => {
  late.push(Math.max(0, performance.now() - dueAt));
  dueAt = performance.now() + 10;
}, 10);
const memory = [residentMb()];
let middleHeapMb = heap.megabytes();
let got = 0;
let cards = 0;

const answer = await fetch(`${url}/api/stream`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ cards: true, after }),
});
if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`);
const openedAt = Date.now();
let rest = '';
for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
  const blocks = (rest + text).split('\n\n');
  rest = blocks.pop() ?? '';
  for (const block of blocks) take(/^data: (.*)$/m.exec(block)?.[1]);
  if (got >= expected) break;
}
memory.push(residentMb());
const [startMb, middleMb, endMb] = memory;
report({
  records: got,
  cards,
  p50: percentile(delays, 0.5),
  p99: percentile(delays, 0.99),
  most: percentile(delays, 1),
  late: percentile(late, 0.99),
  startMb,
  middleMb,
  endMb,
  middleHeapMb: await middleHeapMb,
  endHeapMb: await heap.megabytes(),
});
process.exit(0);

function take(data: string | undefined): void {
  if (data === undefined) return;
  const now = Date.now();
  const batch = JSON.parse(data) as StreamBatch;
  if (batch.lost.length > 0) throw new Error(JSON.stringify(batch.lost));
  cards += batch.cards.length;
  for (const { run, record } of batch.records) {
    const last = reached.get(run) ?? 0;
    if (record.seq !== last + 1) throw new Error(`${run}: ${record.seq} came after ${last}.`);
    reached.set(run, record.seq);
    // What was there before is history.
    if (record.at > openedAt) delays.push(now - record.at);
    got += 1;
  }
  if (got < expected / 2 || memory.length > 1) return;
  memory.push(residentMb());
  middleHeapMb = heap.megabytes();
}

function residentMb(): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
