import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runId, taskId } from '../../../src/core/model/ids.ts';
import { LiveWords } from '../../../src/app/observers/live-words.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { TreeFollower } from './tree-follower.ts';
import { answers, turns, WrittenRun } from './written-run.ts';

let server: LiveServer;
let words: LiveWords;
beforeEach(async () => {
  server = await openLiveServer();
  words = new LiveWords({ home: server.home, everyMs: 10, believedMs: 0 });
});
afterEach(async () => {
  await words.close();
  await server.close();
});

const RUN = runId('a');
const say = (delta: string): void => words.heard({ kind: 'text', run: RUN, agent: 'coder', task: taskId('t1'), delta });

test(
  '[U2] [WL15] words of a model are heard as they come, and are gone when their record is there',
  { timeout: 30_000 },
  async () => {
    const run = await WrittenRun.begin(server.journal, 'a');
    await run.add(turns('t1'));
    const first = await TreeFollower.open(server.url, { cards: false, after: { a: 3 } });
    const saying = setInterval(() => say('la '), 20);
    await first.until(() => first.texts().length >= 3);
    const heard = first.texts();
    expect(heard[0]).toMatchObject({ run: 'a', task: 't1', agent: 'coder', offset: 0 });
    for (const [index, { offset }] of heard.entries()) {
      const before = heard.slice(0, index).map(({ text }) => text);
      expect(offset).toBe(before.join('').length);
    }
    // A later listener gets all of it.
    const second = await TreeFollower.open(server.url, { cards: false, after: { a: 3 } });
    await second.until(() => second.texts().length > 0);
    expect(second.texts()[0]).toMatchObject({ offset: 0 });
    clearInterval(saying);
    await run.add(answers('t1', 'la la la'));
    words.heard({ kind: 'record', run: RUN, record: { seq: 4, at: 1, fact: answers('t1', 'la la la') } });
    await second.until(() => second.numbers('a').includes(4));
    const third = await TreeFollower.open(server.url, { cards: false, after: { a: 3 } });
    await third.until(() => third.numbers('a').includes(4));
    say('next');
    await third.until(() => third.texts().length > 0);
    expect(
      third
        .texts()
        .map(({ text }) => text)
        .join(''),
    ).toBe('next');
    for (const follower of [first, second, third]) follower.close();
  },
);

test('[U2] [WL14] while no page is open, nothing is written', async () => {
  await WrittenRun.begin(server.journal, 'a');
  say('to nobody');
  await words.close();
  expect(existsSync(join(server.home, 'live'))).toBe(false);
});
