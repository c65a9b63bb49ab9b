import pg from 'pg';
import { runId } from '../../src/core/ids.ts';
import type { Batch, Journal, Lease } from '../../src/journal/port.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { median } from '../harness/statistics.ts';
import { report, settings } from '../harness/report.ts';

/**
 * Durable steps on PostgreSQL beside bare commits of the same bytes, by turns in one process, so that both meet the same disk and
 * the same load: of one run, and of many runs at once.
 */
const { url, steps, rounds } = settings() as { url: string; steps: number; rounds: number };

const RUNS = 100;
const POOL = 8;
const RECORDS = 2;
const TEXT = 'A line of a conversation. '.repeat(18);

const journal = await openPostgresJournal({ address: url });
const pool = new pg.Pool({ connectionString: url, max: POOL });
await pool.query('create table bare (number bigint generated always as identity primary key, body text not null)');
const leases = await Promise.all(Array.from({ length: RUNS }, (_, index) => create(`run${index}`)));
const [first] = leases;
if (first === undefined) throw new Error('no run');
const reached = new Map<string, number>();
const bytes = JSON.stringify(batch(1).records).length;
const body = 'x'.repeat(bytes);

/** Discarded: connections are opened, statements planned, tables grown. */
await step(first, 200);
await bare(200);
await many((lease) => step(lease, 3));

const one: { step: number; bare: number }[] = [];
const all: { step: number; bare: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const [inJournal, inTable] = [() => step(first, steps), () => bare(steps)];
  one.push(await bySides(round, steps, inJournal, inTable));
  const each = Math.ceil(steps / 10);
  const [journals, tables] = [() => many((lease) => step(lease, each)), () => many(() => bare(each))];
  all.push(await bySides(round, each * RUNS, journals, tables));
}
await Promise.all([journal.close(), pool.end()]);
report({
  bytes,
  stepUs: median(one.map((round) => round.step)),
  bareUs: median(one.map((round) => round.bare)),
  ratio: median(one.map((round) => round.step / round.bare)),
  manyStepsPerSecond: 1e6 / median(all.map((round) => round.step)),
  manyBarePerSecond: 1e6 / median(all.map((round) => round.bare)),
  manyRatio: median(all.map((round) => round.step / round.bare)),
});

/** Microseconds for one of each; the first side changes from round to round. */
async function bySides(round: number, count: number, ...sides: readonly [() => Promise<void>, () => Promise<void>]) {
  const found = [0, 0];
  for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const start = performance.now();
    await sides[place]?.();
    found[place] = ((performance.now() - start) * 1000) / count;
  }
  return { step: found[0] ?? Number.NaN, bare: found[1] ?? Number.NaN };
}

async function many(work: (lease: Lease) => Promise<void>): Promise<void> {
  await Promise.all(leases.map(work));
}

async function step(lease: Lease, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const seq = (reached.get(lease.run) ?? 0) + 1;
    await journal.append(lease, batch(seq));
    reached.set(lease.run, seq + RECORDS - 1);
  }
}

async function bare(count: number): Promise<void> {
  const statement = { name: 'bare', text: 'insert into bare (body) values ($1)', values: [body] };
  for (let done = 0; done < count; done += 1) await pool.query(statement);
}

function create(name: string): ReturnType<Journal['create']> {
  return journal.create(
    { run: runId(name), parent: null, workflow: 'bench', project: '/', title: name, at: 1 },
    'bench',
  );
}

function batch(seq: number): Batch {
  const records = Array.from({ length: RECORDS }, (_, index) => ({
    seq: seq + index,
    at: 1,
    fact: { kind: 'message.added', context: 'main', message: { author: 'a', role: 'user', content: TEXT } } as const,
  }));
  return { records, summary: { status: 'running', outcome: null } };
}
