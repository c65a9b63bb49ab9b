import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { runId } from '../../src/core/model/ids.ts';
import type { Batch, Journal, Lease } from '../../src/journal/port.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { median } from '../harness/statistics.ts';
import { report, settings } from '../harness/report.ts';

/**
 * Durable steps on PostgreSQL beside bare commits of the same bytes, by turns in one process, so that both meet the same disk and
 * the same load: of one run, and of many runs at once. DBOS takes its turn with steps whose results are the same bytes.
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

const engine = DBOS.registerWorkflow(
  async (count: number) => {
    for (let done = 0; done < count; done += 1) await DBOS.runStep(() => Promise.resolve(body), { name: 'step' });
  },
  { name: 'steps' },
);
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', applicationVersion: '1' });
await DBOS.launch();

/** Discarded: connections are opened, statements planned, tables grown. */
await step(first, 200);
await bare(200);
await engine(200);
await many((lease) => step(lease, 3));

const one: Round[] = [];
const all: Round[] = [];
for (let round = 0; round < rounds; round += 1) {
  one.push(await bySides(round, steps, [() => step(first, steps), () => bare(steps), () => engine(steps)]));
  const each = Math.ceil(steps / 10);
  all.push(await bySides(round, each * RUNS, [() => many((lease) => step(lease, each)), () => many(() => bare(each))]));
}
await Promise.all([journal.close(), pool.end(), DBOS.shutdown()]);
report({
  bytes,
  stepUs: median(one.map((round) => round.step)),
  bareUs: median(one.map((round) => round.bare)),
  ratio: median(one.map((round) => round.step / round.bare)),
  engineUs: median(one.map((round) => round.engine)),
  engineRatio: median(one.map((round) => round.step / round.engine)),
  manyStepsPerSecond: 1e6 / median(all.map((round) => round.step)),
  manyBarePerSecond: 1e6 / median(all.map((round) => round.bare)),
  manyRatio: median(all.map((round) => round.step / round.bare)),
});

interface Round {
  readonly step: number;
  readonly bare: number;
  readonly engine: number;
}

/** Microseconds for one of each; the first side changes from round to round. */
async function bySides(round: number, count: number, sides: readonly (() => Promise<unknown>)[]): Promise<Round> {
  const found: number[] = [];
  for (let turn = 0; turn < sides.length; turn += 1) {
    const place = (round + turn) % sides.length;
    const start = performance.now();
    await sides[place]?.();
    found[place] = ((performance.now() - start) * 1000) / count;
  }
  const [step = Number.NaN, bare = Number.NaN, engine = Number.NaN] = found;
  return { step, bare, engine };
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
