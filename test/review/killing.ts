import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { writeFiles } from '../workspaces/bench.ts';
import { exampleFiles } from './review-file.ts';

export interface Place {
  readonly home: string;
  readonly project: string;
}

export function place(): Place {
  const base = mkdtempSync(join(tmpdir(), 'troupe-review-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const project = join(base, 'project');
  mkdirSync(project);
  writeFiles(project, exampleFiles());
  return { home: join(base, 'home'), project };
}

/** Runs a driver of this folder in a separate process. */
export function drive(driver: string, { home, project }: Place, ...words: readonly string[]) {
  const file = join(import.meta.dirname, driver);
  return spawnSync(process.execPath, [file, home, project, ...words], { encoding: 'utf8', timeout: 120_000 });
}

interface Killed {
  /** How the first process ended. */
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** What the second one said. */
  readonly said: string;
  /** Calls that it made although their answers were in the journal. */
  readonly repeated: readonly string[];
}

/** Killed at a moment, then gone on with by another process. */
export async function killedAt(driver: string, moment: string): Promise<Killed> {
  const here = place();
  const { signal } = drive(driver, here, 'start', moment);
  const kept = await answered(here.home);
  const before = calls(here.home).length;
  const { stdout, stderr } = drive(driver, here, 'resume');
  const repeated = calls(here.home)
    .slice(before)
    .filter((key) => kept.includes(key));
  return { signal, stderr, said: stdout, repeated };
}

/** The calls whose answers are in the journal. */
async function answered(home: string): Promise<readonly string[]> {
  const journal = await openSqliteJournal({ home });
  const records = await journal.read(runId('killed'));
  await journal.close();
  return records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [`killed/${fact.task}/${fact.call}`] : []));
}

function calls(home: string): readonly string[] {
  const file = join(home, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}
