import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const DRIVER = join(import.meta.dirname, 'driver.ts');

function drive(home: string, ...parameters: readonly string[]) {
  return spawnSync(process.execPath, [DRIVER, home, ...parameters], { encoding: 'utf8', timeout: 60_000 });
}

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
  const info = await journal.run(runId('killed'));
  const records = info === undefined || info.seq === 0 ? [] : await journal.read(runId('killed'));
  await journal.close();
  return records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [`killed/${fact.task}/${fact.call}`] : []));
}

const lines = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

test('[L6] killed with -9 before and after every write, a resumed run ends the same and repeats no finished call', async () => {
  const whole = await withHome(async (home) => {
    const { stdout, stderr } = drive(home, 'start');
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { outcome: string; output: string; writes: number };
  });
  expect(whole).toMatchObject({ outcome: 'ok', output: 'done after 14' });
  expect(whole.writes).toBeGreaterThan(8);
  for (let killAt = 1; killAt <= whole.writes; killAt += 1) {
    for (const when of ['before', 'after']) {
      await withHome(async (home) => {
        const place = { killAt, when };
        expect({ place, signal: drive(home, 'start', String(killAt), when).signal }).toEqual({
          place,
          signal: 'SIGKILL',
        });
        const answered = await answeredKeys(home);
        const before = lines(join(home, 'calls')).length;
        const isStarted = killAt > 1 || when === 'after';
        const again = drive(home, isStarted ? 'resume' : 'start');
        const isSettled = killAt === whole.writes && when === 'after';
        expect({ place, isRefused: again.stderr.includes('RUN_SETTLED') }).toEqual({ place, isRefused: isSettled });
        if (isSettled) return;
        expect({ place, stderr: again.stderr }).toEqual({ place, stderr: '' });
        expect({ place, ...JSON.parse(again.stdout) }).toMatchObject({ place, outcome: 'ok', output: whole.output });
        const repeated = lines(join(home, 'calls'))
          .slice(before)
          .filter((key) => answered.includes(key));
        expect({ place, repeated }).toEqual({ place, repeated: [] });
      });
    }
  }
}, 240_000);
