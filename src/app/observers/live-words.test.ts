import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { runId, taskId } from '../../core/model/ids.ts';
import { LISTENING_FILE, parseWords, wordsFile, type WordsLine } from '../../protocol/web/live-words.ts';
import { LiveWords } from './live-words.ts';

let home: string;
let words: LiveWords;
const RUN = runId('r');
const CHILD = runId('r/t1');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-words-'));
  mkdirSync(join(home, 'live'));
  words = new LiveWords({ home, everyMs: 1, believedMs: 0 });
});
afterEach(async () => {
  await words.close();
  rmSync(home, { recursive: true, force: true });
});

const listen = (): void => writeFileSync(join(home, 'live', LISTENING_FILE), '');
const say = (delta: string, run = RUN): void =>
  words.heard({ kind: 'text', run, agent: 'coder', task: taskId('t1'), delta });
const record = (seq: number, fact: Fact): void =>
  words.heard({ kind: 'record', run: RUN, record: { seq, at: 1, fact } });
const ended: Fact = { kind: 'task.ended', task: taskId('t1'), outcome: 'ok', output: null, failure: null };

function lines(): readonly WordsLine[] {
  try {
    const text = readFileSync(join(home, 'live', wordsFile('r')), 'utf8');
    return text.split('\n').flatMap((line) => parseWords(line) ?? []);
  } catch {
    return [];
  }
}

/** Until what is in the file is so. */
async function written(holds: (found: readonly WordsLine[]) => boolean): Promise<readonly WordsLine[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(join(home, 'live'), () => holds(lines()) && resolve());
  if (holds(lines())) resolve();
  await promise;
  watcher.close();
  return lines();
}

const saidIn = (found: readonly WordsLine[]): string => found.map(({ text }) => text).join('');

test('[U2] what a silent model said before is there for somebody who begins to listen', async () => {
  say('Hel');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(lines()).toEqual([]);
  listen();
  expect(saidIn(await written((found) => found.length > 0))).toBe('Hel');
});

test('[U2] [WL14] words are in the file of the root run, with where they belong', async () => {
  listen();
  record(4, { kind: 'run.resumed', epoch: 1 });
  say('Hel');
  await written((found) => saidIn(found) === 'Hel');
  say('lo');
  say('child', CHILD);
  const found = await written((some) => saidIn(some).includes('child') && saidIn(some).includes('lo'));
  expect(found).toEqual([
    { run: 'r', task: 't1', agent: 'coder', offset: 0, text: 'Hel', after: 4 },
    { run: 'r', task: 't1', agent: 'coder', offset: 3, text: 'lo', after: 4 },
    { run: 'r/t1', task: 't1', agent: 'coder', offset: 0, text: 'child', after: 0 },
  ]);
  expect(statSync(join(home, 'live', wordsFile('r'))).mode & 0o777).toBe(0o600);
});

test('[U2] [WL15] an answer that is over is reported as over, and the next one begins at 0', async () => {
  listen();
  say('one');
  await written((found) => saidIn(found) === 'one');
  record(9, ended);
  say('two');
  const found = await written((some) => saidIn(some) === 'onetwo');
  expect(found.slice(1)).toMatchObject([
    { isEnd: true, after: 9 },
    { offset: 0, text: 'two', after: 9 },
  ]);
});

test('[U2] [WL14] without a listener nothing is written; a later listener gets the present answer from its beginning', async () => {
  say('gone ');
  record(5, ended);
  say('Hello ');
  listen();
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(home, 'live', LISTENING_FILE), past, past);
  say('you');
  expect(readdirSync(join(home, 'live'))).toEqual([LISTENING_FILE]);
  listen();
  say('!');
  const found = await written((some) => saidIn(some) === 'Hello you!');
  expect(found[0]).toMatchObject({ offset: 0, after: 5 });
});

test('[U2] [WL14] the file never grows over a megabyte, and is gone when the runs are let go', async () => {
  listen();
  const piece = 'x'.repeat(100_000);
  for (let count = 1; count <= 15; count += 1) {
    say(piece);
    await written((found) => (found.at(-1)?.offset ?? -1) === (count - 1) * 100_000);
    expect(statSync(join(home, 'live', wordsFile('r'))).size).toBeLessThanOrEqual(1024 * 1024);
  }
  await words.close();
  expect(readdirSync(join(home, 'live'))).toEqual([LISTENING_FILE]);
});

test('[U2] [WL14] a run that speaks again after its file was removed as one left behind is heard', async () => {
  listen();
  say('before');
  await written((found) => saidIn(found) === 'before');
  record(9, ended);
  rmSync(join(home, 'live', wordsFile('r')));
  say('after');
  const found = await written((some) => saidIn(some).endsWith('after'));
  expect(found.at(-1)).toMatchObject({ offset: 0, text: 'after', after: 9 });
});

test('[U2] [WL14] a folder that cannot be written costs the words, not the run', async () => {
  await words.close();
  const file = join(home, 'file');
  writeFileSync(file, '');
  const others = new LiveWords({ home: file, everyMs: 1, believedMs: 0 });
  others.heard({ kind: 'text', run: RUN, agent: 'coder', task: taskId('t1'), delta: 'x' });
  await expect(others.close()).resolves.toBeUndefined();
});

test('[U2] [WL14] a link in the place of the file is not followed, and other users cannot read the words', async () => {
  const other = join(home, 'other');
  writeFileSync(other, 'precious');
  symlinkSync(other, join(home, 'live', wordsFile('r')));
  listen();
  say('Hello');
  await written((found) => found.length === 1);
  expect(readFileSync(other, 'utf8')).toBe('precious');
  expect(statSync(join(home, 'live', wordsFile('r'))).mode & 0o777).toBe(0o600);
});
