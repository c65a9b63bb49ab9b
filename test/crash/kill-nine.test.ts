import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/core/model/fault.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { firstOfEachKind, IS_PROOF } from '../sample.ts';
import { driveOnDisk, RUN } from './drive-on-disk.ts';

const DRIVER = join(import.meta.dirname, 'driver.ts');

function drive(home: string, ...parameters: readonly string[]) {
  return spawnSync(process.execPath, [DRIVER, home, ...parameters], { encoding: 'utf8', timeout: 60_000 });
}

/** The next process after the killed one. */
const goOn = (home: string, isResumed: boolean) => driveOnDisk(home, { isResumed, wrap: (journal) => journal });

async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'troupe-kill-'));
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function answeredKeys(home: string): Promise<readonly string[]> {
  const journal = await openSqliteJournal({ home });
  const info = await journal.run(RUN);
  const records = info === undefined || info.seq === 0 ? [] : await journal.read(RUN);
  await journal.close();
  return records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [`${RUN}/${fact.task}/${fact.call}`] : []));
}

const lines = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

interface Kill {
  readonly killAt: number;
  readonly when: 'before' | 'after';
  readonly kinds: string;
}

/** Writes that record the same kinds are one kind of write. The sample has each of them once before and once after it. */
const killsOf = (writes: readonly string[]): readonly Kill[] =>
  firstOfEachKind(
    writes.flatMap((kinds, index) =>
      (['before', 'after'] as const).map((when) => ({ killAt: index + 1, when, kinds })),
    ),
    ({ when, kinds }) => `${when} ${kinds}`,
  );

const whole = IS_PROOF ? 'every write' : 'the first write of each kind';
test(`[L6] killed with -9 before and after ${whole}, a resumed run ends the same and repeats no finished call`, async () => {
  const { stdout, stderr } = await withHome(async (home) => drive(home));
  expect(stderr).toBe('');
  const { writes, ...end } = JSON.parse(stdout) as { readonly output: string; readonly writes: readonly string[] };
  expect(end).toEqual({ outcome: 'ok', output: 'done after 14' });
  expect(writes.length).toBeGreaterThan(8);
  for (const place of killsOf(writes)) {
    const { killAt, when } = place;
    await withHome(async (home) => {
      const { signal } = drive(home, String(killAt), when);
      expect({ place, signal }).toEqual({ place, signal: 'SIGKILL' });
      const answered = await answeredKeys(home);
      const before = lines(join(home, 'calls')).length;
      const isStarted = killAt > 1 || when === 'after';
      const isSettled = killAt === writes.length && when === 'after';
      const again = await goOn(home, isStarted).catch((error: unknown) => ({ code: (error as Fault).code }));
      expect({ place, ...again }).toEqual({ place, ...(isSettled ? { code: 'RUN_SETTLED' } : end) });
      const repeated = lines(join(home, 'calls'))
        .slice(before)
        .filter((key) => answered.includes(key));
      expect({ place, repeated }).toEqual({ place, repeated: [] });
    });
  }
}, 240_000);
