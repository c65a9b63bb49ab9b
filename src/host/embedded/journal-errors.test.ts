import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { openDatabase } from '../../journal/sqlite/database-file.ts';
import { journalOn, openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { homesOnTinyDisks } from '../../journal/sqlite/testing/tiny-disk.ts';
import type { Clock } from '../world.ts';
import { asking } from '../testing/asking.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../testing/coder-reviewer.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

/** Errors of the real journal: a full disk, a lock of another process, a damaged message. */

const place = homesOnTinyDisks();

/** Every wait is over at the next turn of the event loop. */
const HASTE: Clock = {
  now: () => Date.now(),
  alarm(_at, ring) {
    const timer = setImmediate(ring);
    return () => clearImmediate(timer);
  },
};

const RUN = runId('r');

/** Two agents in a loop. `onWork` is called after each finished model call and tool, before its record is written. */
function loop(journal: Journal, onWork: (work: string) => void) {
  const done: string[] = [];
  const finish = (work: string): void => {
    done.push(work);
    onWork(work);
  };
  const notes = noteTool([]);
  const world = testWorld({
    journal,
    clock: HASTE,
    answer: (request) => {
      const answer = coderReviewerAnswer(request);
      finish(`${request.agent} ${request.visit} ${request.call}`);
      return answer;
    },
    tools: [
      {
        ...notes,
        run: async (...given) => {
          const result = await notes.run(...given);
          finish(`tool ${JSON.stringify(given[0])}`);
          return result;
        },
      },
    ],
  });
  return { host: createEmbeddedHost(world), done };
}

const start = (host: ReturnType<typeof createEmbeddedHost>) =>
  host.start({ definition: coderReviewer(), input: {}, project: '.', run: RUN });

/** Without the records of the pause and of the process that continued. */
const kinds = async (journal: Journal): Promise<readonly string[]> =>
  (await journal.read(RUN))
    .map(({ fact }) => fact.kind)
    .filter((kind) => !/^run\.(?:paused|continued|resumed)$/.test(kind));

test('[L3] [R1] a disk that is full after any call or tool pauses the run, and nothing is lost or done twice', async (context) => {
  context.skip(!place.disk.isMounted, 'only root can mount a small disk');
  const whole = await playWhole();
  expect(whole.done.length).toBeGreaterThan(5);
  // After the last one only the end of the run has to be written.
  for (let at = 1; at < whole.done.length; at += 1) {
    const played = await playUntilFull(at);
    expect(played.rest, `full at ${whole.done[at - 1]}`).toMatchObject({
      status: 'paused',
      outcome: null,
      failure: { code: 'JOURNAL_FULL', hint: expect.stringContaining(`troupe resume ${RUN}`) },
    });
    expect(played.done).toHaveLength(at);
    rmSync(join(place.home, 'ballast'));
    expect(await goOn(played, at % 2 === 0)).toEqual({ done: whole.done, kinds: whole.kinds });
  }
});

test('[L3] [R1] a disk that is full at the end of a run takes the end, from the space kept for it', async (context) => {
  context.skip(!place.disk.isMounted, 'only root can mount a small disk');
  const whole = await playWhole();
  const { host, journal, rest } = await playUntilFull(whole.done.length);
  expect(rest).toMatchObject({ status: 'settled', outcome: 'ok' });
  expect(await kinds(journal)).toEqual(whole.kinds);
  await host.shutdown();
  rmSync(join(place.home, 'ballast'));
  await journal.close();
});

/** The disk is full after so many calls and tools. */
async function playUntilFull(at: number) {
  const folder = join(place.home, `full-${at}`);
  mkdirSync(folder);
  const journal = await openSqliteJournal({ home: folder });
  let count = 0;
  const { host, done } = loop(journal, () => (count += 1) === at && fillDisk());
  await start(host);
  return { folder, journal, host, done, rest: await host.rest(RUN) };
}

/** Resumes the run here, or with another host on a journal that is opened again, as another process would. */
async function goOn(
  { folder, journal, host, done }: Awaited<ReturnType<typeof playUntilFull>>,
  isElsewhere: boolean,
): Promise<Pick<Awaited<ReturnType<typeof playWhole>>, 'done' | 'kinds'>> {
  if (isElsewhere) {
    await host.shutdown();
    await journal.close();
  }
  const open = isElsewhere ? await openSqliteJournal({ home: folder }) : journal;
  const later = isElsewhere ? loop(open, () => {}) : { host, done: [] };
  await later.host.resume(RUN);
  expect(await later.host.rest(RUN)).toMatchObject({ status: 'settled', outcome: 'ok' });
  const found = { done: [...done, ...later.done], kinds: await kinds(open) };
  await later.host.shutdown();
  await open.close();
  rmSync(folder, { recursive: true });
  return found;
}

async function playWhole() {
  const folder = join(place.home, 'whole');
  mkdirSync(folder);
  const journal = await openSqliteJournal({ home: folder });
  const { host, done } = loop(journal, () => {});
  await start(host);
  expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok' });
  const found = { done, kinds: await kinds(journal) };
  await host.shutdown();
  await journal.close();
  rmSync(folder, { recursive: true });
  return found;
}

function fillDisk(): void {
  for (const size of [65_536, 4096]) {
    const bytes = Buffer.alloc(size, 1);
    try {
      for (;;) appendFileSync(join(place.home, 'ballast'), bytes);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}

test('[L3] a lock of another process that goes away in time changes nothing', async () => {
  const folder = join(place.home, 'busy');
  const journal = impatientJournal(folder);
  const lock = await lockFrom(folder);
  let failures = 0;
  const freed = watched(journal, async () => {
    failures += 1;
    await lock.free();
  });
  const { host } = loop(freed, () => {});
  await start(host);
  expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok' });
  expect(failures).toBe(1);
  await host.shutdown();
  await journal.close();
});

test('[L3] a lock that stays ends driving with JOURNAL_BUSY; after it is gone the run continues where it was', async () => {
  const folder = join(place.home, 'busy');
  const journal = impatientJournal(folder);
  const host = createEmbeddedHost(testWorld({ journal, answer: () => says(''), clock: HASTE }));
  await host.start({ definition: asking('Which?'), input: {}, project: '.', run: RUN });
  await host.rest(RUN);
  const before = await journal.read(RUN);
  const lock = await lockFrom(folder);
  await expect(host.answer(RUN, { answer: 'red', by: 'ann' })).rejects.toMatchObject({ code: 'JOURNAL_BUSY' });
  expect(await journal.read(RUN)).toEqual(before);
  await lock.free();
  await host.resume(RUN);
  await host.answer(RUN, { answer: 'red', by: 'ann' });
  expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok', output: 'red' });
  await host.shutdown();
  await journal.close();
});

test('[L3] a message that cannot be read stops its own run only', async () => {
  const folder = join(place.home, 'inbox');
  const journal = await openSqliteJournal({ home: folder });
  const first = createEmbeddedHost(testWorld({ journal, answer: () => says(''), clock: HASTE }));
  const [bad, good] = await Promise.all(
    ['bad', 'good'].map((name) =>
      first.start({ definition: asking('Which?'), input: {}, project: '.', run: runId(name) }),
    ),
  );
  if (bad === undefined || good === undefined) throw new Error('Two runs were started.');
  await Promise.all([first.rest(bad), first.rest(good)]);
  await first.shutdown();
  for (const run of [bad, good]) {
    const body = { kind: 'answer', question: 't1', answer: 'red', by: 'bob' };
    await journal.send(run, { id: 'm1', at: 1, body });
  }
  const database = new DatabaseSync(join(folder, 'journal.db'));
  database.exec(
    "UPDATE inbox SET message = replace(message, 'red', 'RED') WHERE place = (SELECT min(place) FROM inbox)",
  );
  database.close();
  const host = createEmbeddedHost(testWorld({ journal, answer: () => says(''), clock: HASTE }));
  const found: unknown = await host.resume(bad).then(
    () => host.rest(bad).catch((error: unknown) => error),
    (error: unknown) => error,
  );
  expect(found).toBeInstanceOf(Fault);
  expect(found).toMatchObject({ code: 'JOURNAL_DAMAGED', message: 'A message to run bad is damaged or missing.' });
  await host.resume(good);
  while ((await journal.run(good))?.status !== 'settled') await new Promise(setImmediate);
  expect(await host.rest(good)).toMatchObject({ outcome: 'ok', output: 'red' });
  await host.shutdown();
  await journal.close();
});

/** Waits for a lock as long as a test can. */
function impatientJournal(folder: string): Journal {
  const database = openDatabase(folder);
  database.exec('PRAGMA busy_timeout = 5');
  return journalOn(database, { home: folder });
}

/** Calls back after each append or other write that failed, before its caller hears of it. */
function watched(journal: Journal, onFailure: () => Promise<void>): Journal {
  return new Proxy(journal, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: readonly unknown[]) => unknown;
      if (name === 'onChange' || name === 'close') return call;
      return async (...given: readonly unknown[]) => {
        try {
          return await call(...given);
        } catch (error) {
          await onFailure();
          throw error;
        }
      };
    },
  });
}

const HOLD = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('BEGIN IMMEDIATE');
  process.stdout.write('held');
  process.stdin.once('data', () => database.exec('ROLLBACK') ?? process.exit());
`;

/** A process that holds the lock of the database. */
async function lockFrom(folder: string) {
  const child = spawn(process.execPath, ['-e', HOLD, join(folder, 'journal.db')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return {
    free: async (): Promise<void> => {
      if (child.exitCode !== null) return;
      child.stdin.write('free');
      await once(child, 'exit');
    },
  };
}
