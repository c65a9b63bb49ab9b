import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId, taskId } from '../../core/model/ids.ts';
import { keptClientLines, keptTurns, LineKeeper } from './kept-lines.ts';

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const said = (run: string, task: string, line: string) => ({ run: runId(run), task: taskId(task), line });

test('[L7] what a client said is there word for word, by turn and in order', async () => {
  const folder = home();
  const keeper = new LineKeeper(folder);
  for (const task of ['t10', 't2']) for (const word of ['a', 'ü', '{"b":1}']) keeper.keep(said('run', task, word));
  keeper.keep(said('run/t3', 't1', 'below'));
  await keeper.close();
  expect(await keptTurns(folder, runId('run'))).toEqual(['t2', 't10']);
  expect(await keptClientLines(folder, said('run', 't10', ''))).toEqual(['a', 'ü', '{"b":1}']);
  expect(await keptTurns(folder, runId('run/t3'))).toEqual(['t1']);
  const file = join(folder, 'runs/run/agents/t2.ndjson');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'runs/run/agents')).mode & 0o777).toBe(0o700);
});

test('[L9] no turn fills the disk: the oldest lines go, the newest stay', async () => {
  const folder = home();
  const keeper = new LineKeeper(folder, 1000);
  for (let number = 0; number < 400; number += 1) {
    keeper.keep(said('run', 't1', `line ${number}`));
    await keeper.close();
  }
  const lines = await keptClientLines(folder, said('run', 't1', ''));
  expect(lines.at(-1)).toBe('line 399');
  expect(lines.length).toBeLessThan(250);
  expect(readdirSync(join(folder, 'runs/run/agents')).toSorted()).toEqual(['t1.ndjson', 't1.older.ndjson']);
  expect(await keptTurns(folder, runId('run'))).toEqual(['t1']);
});

test('[L8] no name of a turn leads out of the folder', async () => {
  const folder = home();
  const keeper = new LineKeeper(folder);
  keeper.keep(said('run/../../..', '../../x', 'out'));
  await keeper.close();
  expect(readdirSync(folder)).toEqual(['runs']);
  expect(readdirSync(join(folder, 'runs'))).toEqual(['run']);
});

test('a place where nothing can be written ends nothing', async () => {
  const folder = home();
  writeFileSync(join(folder, 'runs'), 'in the way');
  const keeper = new LineKeeper(folder);
  keeper.keep(said('run', 't1', 'lost'));
  await keeper.close();
  expect(await keptClientLines(folder, said('run', 't1', ''))).toEqual([]);
  expect(existsSync(join(folder, 'runs/run'))).toBe(false);
});
