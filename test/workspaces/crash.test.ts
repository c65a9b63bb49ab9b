import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const DRIVER = join(import.meta.dirname, 'driver.ts');

/** Every process whose command line holds the text. */
function running(text: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

test('[L6] killed with -9 in the middle of an agent’s writes, a run goes on from the exact files', async () => {
  const base = mkdtempSync(join(tmpdir(), 'troupe-crash-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  mkdirSync(project);
  writeFileSync(join(project, 'notes.txt'), 'mine\n');
  const work = join(home, 'runs/killed/work');

  const child = spawn(process.execPath, [DRIVER, home, project, 'start'], { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  await vi.waitFor(() => expect(existsSync(join(work, 'half.txt'))).toBe(true), { timeout: 30_000, interval: 20 });
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  // The command dies with the engine: nothing writes behind our back.
  await vi.waitFor(() => expect(running('echo whole > half.txt')).toEqual([]), { timeout: 30_000, interval: 20 });
  expect(readFileSync(join(work, 'half.txt'), 'utf8')).toBe('half\n');

  const again = spawnSync(process.execPath, [DRIVER, home, project, 'resume'], { encoding: 'utf8', timeout: 60_000 });
  expect({ stderr: again.stderr, outcome: JSON.parse(again.stdout || '{}') }).toEqual({
    stderr: '',
    outcome: { outcome: 'ok' },
  });
  expect(existsSync(join(work, 'dirty.txt'))).toBe(false);
  expect(readFileSync(join(work, 'half.txt'), 'utf8')).toBe('whole\n');
  expect(readFileSync(join(work, 'notes.txt'), 'utf8')).toBe('mine\nx\n');
  expect(readFileSync(join(work, 'first.txt'), 'utf8')).toBe('kept');
  expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('mine\n');

  const journal = await openSqliteJournal({ home });
  onTestFinished(() => journal.close());
  const facts = (await journal.read(runId('killed'))).map(({ fact }) => fact);
  expect(facts.filter((fact) => fact.kind === 'tool.finished' && fact.toolCall === 'c')).toMatchObject([
    { isError: false, content: expect.stringContaining('Exit code 0') },
  ]);
});
