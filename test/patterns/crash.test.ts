import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
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

const startKilled = ({ home, project }: Place, killAt: number) =>
  spawnSync(process.execPath, [DRIVER, home, project, String(killAt)], { encoding: 'utf8', timeout: 60_000 });

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

test('[L6] [PD8] judge: killed with -9 before any of its writes, it ends the same, with the winner merged and no answer paid twice', async () => {
  let killed = 0;
  let whole = {};
  for (let killAt = 2; ; killAt += 1) {
    const here = place();
    const { signal, stderr, stdout } = startKilled(here, killAt);
    if (signal !== 'SIGKILL') {
      whole = { stderr, end: JSON.parse(stdout || '{}') as object };
      break;
    }
    killed += 1;
    const known = await answered(here);
    const before = linesOf(join(here.home, 'calls')).length;
    const end = await judgeOnDisk(here, { isResumed: true, wrap: (journal) => journal });
    expect({ killAt, ...end }).toMatchObject({ killAt, ...END });
    expect(readFileSync(join(here.home, 'runs/killed/work/made.txt'), 'utf8')).toBe('b\n');
    const again = linesOf(join(here.home, 'calls')).slice(before);
    expect({ killAt, twice: again.filter((key) => known.has(key)) }).toEqual({ killAt, twice: [] });
    rmSync(dirname(here.home), { recursive: true, force: true });
  }
  expect(whole).toMatchObject({ stderr: '', end: END });
  expect(killed).toBeGreaterThan(15);
}, 600_000);

const END = { outcome: 'ok', output: { winner: 'candidate_2', candidates: [{ outcome: 'ok' }, { outcome: 'ok' }] } };
