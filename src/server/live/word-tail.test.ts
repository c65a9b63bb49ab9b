import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { LISTENING_FILE, wordsFile, type WordsLine } from '../../protocol/web/live-words.ts';
import { WordTail } from './word-tail.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-tail-'));
  mkdirSync(join(home, 'live'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const lineOf = (run: string, text: string): string =>
  `${JSON.stringify({ run, task: 't1', agent: 'coder', offset: 0, text, after: 1 } satisfies WordsLine)}\n`;
const place = (file: string): string => join(home, 'live', file);

test('[U2] [WL14] a link is not read, and a pipe without a writer holds up no other run', async () => {
  const other = join(home, 'other');
  writeFileSync(other, lineOf('linked', 'not for you'));
  symlinkSync(other, place(wordsFile('linked')));
  execFileSync('mkfifo', [place(wordsFile('pipe'))]);
  appendFileSync(place(wordsFile('plain')), lineOf('plain', 'hello'));
  const { promise, resolve } = Promise.withResolvers<void>();
  const heard: string[] = [];
  const tail = new WordTail({
    home,
    heard: ({ run, text }) => {
      heard.push(`${run}: ${text}`);
      if (run === 'plain') resolve();
    },
  });
  const runs = ['linked', 'pipe', 'plain'].map(runId);
  for (const run of runs) tail.follow(run);
  await promise;
  for (const run of runs) tail.unfollow(run);
  expect(heard).toEqual(['plain: hello']);
});

test('[U2] [WL14] that somebody listens is not written through a link', async () => {
  symlinkSync(join(home, 'nowhere'), place(LISTENING_FILE));
  appendFileSync(place(wordsFile('plain')), lineOf('plain', 'hello'));
  const { promise, resolve } = Promise.withResolvers<void>();
  const tail = new WordTail({ home, heard: () => resolve() });
  tail.follow(runId('plain'));
  await promise;
  tail.unfollow(runId('plain'));
  expect(existsSync(join(home, 'nowhere'))).toBe(false);
});
