import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { firstOfEachKind, IS_PROOF } from '../sample.ts';
import { judgeOnDisk, type Place } from './judge-on-disk.ts';

const DRIVER = join(import.meta.dirname, 'driver.ts');

function place(): Place {
  const base = mkdtempSync(join(tmpdir(), 'troupe-judge-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  writeFileSync(join(project, 'readme.txt'), 'a sample\n');
  return { home, project };
}

const startKilled = ({ home, project }: Place, killAt: number | null) =>
  spawnSync(process.execPath, [DRIVER, home, project, String(killAt ?? 'never')], {
    encoding: 'utf8',
    timeout: 60_000,
  });

const linesOf = (file: string): readonly string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

async function answered({ home }: Place): Promise<ReadonlySet<string>> {
  const journal = await openSqliteJournal({ home });
  const keys = new Set<string>();
  for (const { run } of await journal.runs()) {
    for (const { fact } of await journal.read(run)) {
      if (fact.kind === 'call.answered') keys.add(`${run}/${fact.task}/${fact.call}`);
    }
  }
  await journal.close();
  return keys;
}

/** The number of a write, and the last record in it. */
interface Write {
  readonly killAt: number;
  readonly last: string;
}

const whole = IS_PROOF ? 'any of its writes' : 'the first write of each kind';
test(`[L6] [PD8] judge: killed with -9 before ${whole}, it ends the same, with the winner merged and no answer paid twice`, async () => {
  const { stderr, stdout } = startKilled(place(), null);
  expect(stderr).toBe('');
  const { writes, ...end } = JSON.parse(stdout) as { readonly writes: readonly string[] };
  expect(end).toMatchObject(END);
  expect(writes.length).toBeGreaterThan(16);
  const all = writes.map((kinds, index): Write => ({ killAt: index + 1, last: kinds.split(' ').at(-1) ?? '' }));
  const kills = firstOfEachKind(all.slice(1), ({ last }) => last);
  let killed = 0;
  for (const write of kills) killed += (await survives(write)) ? 1 : 0;
  // Both candidates may finish in one write, so a run can have fewer writes than the one that was looked at.
  expect(killed).toBeGreaterThanOrEqual(kills.length - 2);
}, 600_000);

/** Whether the process was killed, and not at its end before that. */
async function survives(write: Write): Promise<boolean> {
  const here = place();
  const { signal, stdout } = startKilled(here, write.killAt);
  const known = await answered(here);
  const before = linesOf(join(here.home, 'calls')).length;
  const isKilled = signal === 'SIGKILL';
  const end = isKilled
    ? await judgeOnDisk(here, { isResumed: true, wrap: (journal) => journal })
    : (JSON.parse(stdout) as object);
  expect({ write, ...end }).toMatchObject({ write, ...END });
  expect(readFileSync(join(here.home, 'runs/killed/work/made.txt'), 'utf8')).toBe('b\n');
  const again = linesOf(join(here.home, 'calls')).slice(before);
  expect({ write, twice: again.filter((key) => known.has(key)) }).toEqual({ write, twice: [] });
  rmSync(dirname(here.home), { recursive: true, force: true });
  return isKilled;
}

const END = { outcome: 'ok', output: { winner: 'candidate_2', candidates: [{ outcome: 'ok' }, { outcome: 'ok' }] } };
