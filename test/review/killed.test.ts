import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../src/core/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { writeFiles } from '../workspaces/bench.ts';
import { exampleFiles } from './review-file.ts';

const DRIVER = join(import.meta.dirname, 'driver.ts');

function place(): { readonly home: string; readonly project: string } {
  const base = mkdtempSync(join(tmpdir(), 'troupe-review-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const project = join(base, 'project');
  mkdirSync(project);
  writeFiles(project, exampleFiles());
  return { home: join(base, 'home'), project };
}

function drive({ home, project }: ReturnType<typeof place>, ...words: readonly string[]) {
  return spawnSync(process.execPath, [DRIVER, home, project, ...words], { encoding: 'utf8', timeout: 120_000 });
}

/** The calls whose answers are in the journal. */
async function answered(home: string): Promise<readonly string[]> {
  const journal = await openSqliteJournal({ home });
  const records = await journal.read(runId('killed'));
  await journal.close();
  return records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [`killed/${fact.task}/${fact.call}`] : []));
}

const calls = (home: string): readonly string[] => readFileSync(join(home, 'calls'), 'utf8').trimEnd().split('\n');

test('[L6] killed with -9 in reviews, debate and revision, a resumed run comes to the same ledger', async () => {
  const undisturbed = drive(place(), 'start');
  expect(undisturbed.stderr).toBe('');
  const whole = JSON.parse(undisturbed.stdout) as { readonly outcome: string };
  expect(whole).toMatchObject({ outcome: 'ok', ledger: { debate: 3, outcome: { kind: 'consensus' } } });
  const moments = ['asked:debate:2', 'after:take:4', 'asked:revise:1'];
  for (const moment of moments) {
    const here = place();
    expect({ moment, signal: drive(here, 'start', moment).signal }).toEqual({ moment, signal: 'SIGKILL' });
    const kept = await answered(here.home);
    const before = calls(here.home).length;
    const again = drive(here, 'resume');
    expect({ moment, stderr: again.stderr, ...JSON.parse(again.stdout || '{}') }).toEqual({
      moment,
      stderr: '',
      ...whole,
    });
    const repeated = calls(here.home)
      .slice(before)
      .filter((key) => kept.includes(key));
    expect({ moment, repeated }).toEqual({ moment, repeated: [] });
  }
}, 300_000);
