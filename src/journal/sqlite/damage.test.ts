import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { isFault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import type { NewRun } from '../port.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { randomFrom } from './testing/random.ts';
import { everythingIn, sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';
import { problemsIn } from './testing/problems-in.ts';

/** As a power failure leaves it: half in the database, half in the -wal file, nothing closed. */
let original: string;
let expected: unknown;
let disposeAll: () => void;
let folder: string;
let copies = 0;

beforeAll(async () => {
  ({ home: folder, dispose: disposeAll } = temporaryHome());
  original = join(folder, 'original');
  const live = join(folder, 'live');
  const first = await openSqliteJournal({ home: live });
  await fill(first, ['a', 'b'], 20);
  await first.close();
  const second = await openSqliteJournal({ home: live });
  await fill(second, ['c', 'd'], 8);
  expected = await everythingIn(second);
  copyHome(live, original);
  await second.close();
});

afterAll(() => disposeAll());

test('[J4] the copy that is going to be damaged is whole', async () => {
  expect(await lookAt(copyOf())).toEqual({ kind: 'read', value: expected });
  expect(await problemsIn(copyOf())).toEqual([]);
});

test('[J4] 200 flipped bits in the database: each is harmless or a fault', { timeout: 120_000 }, async () => {
  const seen = await damageEach(200, (home, random) => flip(join(home, 'journal.db'), random));
  expect(seen.silent).toEqual([]);
  expect(seen.faults.length).toBeGreaterThan(100);
});

test(
  '[J4] 120 flipped bits in a database without a -wal file: each is harmless or a fault',
  { timeout: 120_000 },
  async () => {
    const settled = copyOf();
    await (await openSqliteJournal({ home: settled })).close();
    expect(existsSync(join(settled, 'journal.db-wal'))).toBe(false);
    const seen = await damageEach(120, (home, random) => flip(join(home, 'journal.db'), random), settled);
    expect(seen.silent).toEqual([]);
    expect(seen.faults.length).toBeGreaterThan(80);
  },
);

test('[J4] [L6] 150 flipped bits in the -wal file: each is reported as a lost end', { timeout: 120_000 }, async () => {
  const seen = await damageEach(150, (home, random) => flip(join(home, 'journal.db-wal'), random));
  expect(seen.silent).toEqual([]);
  expect(new Set(seen.faults)).toEqual(new Set(['JOURNAL_TRUNCATED']));
  expect(seen.faults).toHaveLength(150);
});

test('[J4] [L6] a -wal file cut anywhere is reported as a lost end', { timeout: 120_000 }, async () => {
  const seen = await damageEach(60, (home, random) => {
    const file = join(home, 'journal.db-wal');
    truncateSync(file, random(readFileSync(file).length));
  });
  expect(seen.faults).toEqual(Array.from({ length: 60 }, () => 'JOURNAL_TRUNCATED'));
});

test('[J4] 60 cut databases: each is harmless or a fault', { timeout: 120_000 }, async () => {
  const seen = await damageEach(60, (home, random) => {
    const file = join(home, 'journal.db');
    truncateSync(file, random(readFileSync(file).length));
  });
  expect(seen.silent).toEqual([]);
});

test('[J4] 40 flipped bits in the anchor: each is a fault', { timeout: 120_000 }, async () => {
  const seen = await damageEach(40, (home, random) => flip(join(home, 'journal.head'), random));
  expect(seen.faults).toEqual(Array.from({ length: 40 }, () => 'JOURNAL_DAMAGED'));
});

test('[J4] a missing -wal file, a missing database and a mixed-up pair are faults', async () => {
  const withoutLog = copyOf();
  rmSync(join(withoutLog, 'journal.db-wal'));
  expect(await lookAt(withoutLog)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  const withoutDatabase = copyOf();
  rmSync(join(withoutDatabase, 'journal.db'));
  expect(await lookAt(withoutDatabase)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  rmSync(join(withoutDatabase, 'journal.head'));
  expect(await lookAt(withoutDatabase)).toMatchObject({ code: 'JOURNAL_DAMAGED' });
  expect(readdirSync(withoutDatabase)).toEqual(['journal.db-wal']);
});

test('[J4] an older copy that was restored is a fault, until the anchor is moved away on purpose', async () => {
  const home = copyOf();
  await (await openSqliteJournal({ home })).close();
  const older = join(home, 'older.db');
  copyFileSync(join(home, 'journal.db'), older);
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('later'), 'host');
  await journal.close();
  copyFileSync(older, join(home, 'journal.db'));
  expect(await lookAt(home)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  renameSync(join(home, 'journal.head'), join(home, 'put-aside'));
  expect(await lookAt(home)).toEqual({ kind: 'read', value: expected });
});

test('[J4] another history of the same length is a fault', async () => {
  const [one, two] = [copyOf(), copyOf()];
  for (const [home, name] of [
    [one, 'one'],
    [two, 'two'],
  ] as const) {
    const journal = await openSqliteJournal({ home });
    await journal.create(sampleRun(name), 'host');
    await journal.close();
  }
  copyFileSync(join(one, 'journal.db'), join(two, 'journal.db'));
  expect(await lookAt(two)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
});

test('[J4] an anchor that is behind, as another process may write it late, is no fault and is brought up to date', async () => {
  const home = copyOf();
  const before = readFileSync(join(home, 'journal.head'));
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('later'), 'host');
  writeFileSync(join(home, 'journal.head'), before, { flag: 'r+' });
  await journal.create(sampleRun('even later'), 'host');
  writeFileSync(join(home, 'journal.head'), before, { flag: 'r+' });
  await journal.close();
  expect(readFileSync(join(home, 'journal.head'))).not.toEqual(before);
  expect(await problemsIn(home)).toEqual([]);
});

test('[J4] a journal that lost its end while it was open takes nothing more', async () => {
  const home = copyOf();
  const [journal, other] = [await openSqliteJournal({ home }), copyOf()];
  const ahead = await openSqliteJournal({ home: other });
  await ahead.create(sampleRun('later'), 'host');
  await ahead.close();
  writeFileSync(join(home, 'journal.head'), readFileSync(join(other, 'journal.head')), { flag: 'r+' });
  await expect(journal.create(sampleRun('x'), 'host')).rejects.toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  await expect(journal.close()).rejects.toMatchObject({ code: 'JOURNAL_TRUNCATED' });
});

test('[J4] refusing a damaged journal changes none of its files', async () => {
  const home = copyOf();
  flip(join(home, 'journal.db-wal'), randomFrom(1));
  const before = contentOf(home);
  expect(await lookAt(home)).toMatchObject({ code: 'JOURNAL_TRUNCATED' });
  expect(await problemsIn(home)).not.toEqual([]);
  expect(contentOf(home)).toEqual(before);
});

test('[J4] a record changed behind our back is named with its run', async () => {
  const home = copyOf();
  await (await openSqliteJournal({ home })).close();
  const file = join(home, 'journal.db');
  const bytes = readFileSync(file);
  bytes.write('X', bytes.indexOf('b 7 ...'));
  writeFileSync(file, bytes);
  const journal = await openSqliteJournal({ home });
  await expect(journal.read(runId('b'))).rejects.toMatchObject({
    code: 'JOURNAL_DAMAGED',
    message: 'Record 7 of run b is damaged.',
    hint: expect.stringContaining('troupe doctor'),
    facts: { run: 'b', seq: 7 },
  });
  expect(await journal.read(runId('a'))).toHaveLength(21);
  expect(await journal.verify()).toMatchObject([{ code: 'JOURNAL_DAMAGED', message: 'Record 7 of run b is damaged.' }]);
  await journal.close();
});

type Look = { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'fault'; readonly code: string };

async function lookAt(home: string): Promise<Look> {
  try {
    const journal = await openSqliteJournal({ home });
    try {
      return { kind: 'read', value: await everythingIn(journal) };
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (isFault(error)) return { kind: 'fault', code: error.code };
    throw error;
  }
}

type Damage = (home: string, random: (below: number) => number) => void;

/** The result of each: the codes of the faults, and everything that was read but not written. */
async function damageEach(times: number, damage: Damage, from = original) {
  const random = randomFrom(times);
  const [faults, silent]: [string[], unknown[]] = [[], []];
  const whole = JSON.stringify(expected);
  for (let time = 0; time < times; time += 1) {
    const home = copyOf(from);
    damage(home, random);
    const look = await lookAt(home);
    if (look.kind === 'fault') faults.push(look.code);
    else if (JSON.stringify(look.value) !== whole) silent.push(look.value);
    rmSync(home, { recursive: true });
  }
  return { faults, silent };
}

/** In a byte that differs from the one before it, so that empty space and padding are left out. */
function flip(file: string, random: (below: number) => number): void {
  const bytes = readFileSync(file);
  let at = random(bytes.length);
  while (bytes[at] === bytes[at - 1]) at = random(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  writeFileSync(file, bytes);
}

function copyOf(from = original): string {
  copies += 1;
  const home = join(folder, `copy-${copies}`);
  copyHome(from, home);
  return home;
}

/** Without the shared memory file, which SQLite creates again. */
function copyHome(from: string, to: string): void {
  mkdirSync(to);
  for (const name of ['journal.db', 'journal.db-wal', 'journal.head']) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

const contentOf = (home: string) =>
  ['journal.db', 'journal.db-wal', 'journal.head'].map((name) => readFileSync(join(home, name)).toString('base64'));

const RELATIONS: Readonly<Record<string, Partial<NewRun>>> = {
  b: { parent: runId('a') },
  c: { forkedFrom: runId('a') },
  d: { parent: runId('b') },
};

async function fill(journal: Awaited<ReturnType<typeof openSqliteJournal>>, runs: readonly string[], count: number) {
  for (const name of runs) {
    const lease = await journal.create({ ...sampleRun(name), ...RELATIONS[name] }, 'host');
    await journal.send(lease.run, { id: 'done', at: 1, body: 'an answer' });
    await journal.append(lease, { ...sampleBatch(name, 1, count), consumed: ['done'] });
    await journal.send(lease.run, { id: 'open', at: 2, body: { text: name.repeat(300) } });
    const large = {
      kind: 'tool.finished',
      task: 't',
      toolCall: 'c',
      content: name.repeat(70_000),
      isError: false,
      ms: 1,
    };
    await journal.append(lease, {
      records: [{ seq: count + 1, at: 9, fact: large as never }],
      summary: { status: 'waiting', outcome: null },
    });
    await journal.putBody({ workflow: name });
  }
}
