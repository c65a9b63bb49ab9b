import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsFile } from '../../../src/protocol/web/live-words.ts';
import { scriptedProject } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { TreeFollower } from './tree-follower.ts';

const SPOKEN = 'This is said slowly, piece by piece, so that somebody can listen. '.repeat(10);

/** The first answer takes some seconds to be said. */
const SLOW = `
rules:
  - when: { state: start }
    reply: { say: "${SPOKEN.trim()}", chunk: 8, pace_ms: 100 }
  - when: { state: again }
    reply: Done.
`;

test(
  '[U2] [WL14] a run of one process is seen through the server of another: its card, its words as they come, its records, its end',
  { timeout: 60_000 },
  async () => {
    const sandbox = scriptedProject({ 'answers.yaml': SLOW });
    const { port, token } = await serve(sandbox);
    const url = `http://127.0.0.1:${port}`;
    const board = await TreeFollower.open(url, { cards: true, after: {} }, token);
    const running = sandbox.start(['run', 'two_steps', 'Say something']);
    await board.until(() => board.batches.some(({ cards }) => cards.length > 0));
    const run = board.batches.flatMap(({ cards }) => cards)[0]?.run ?? '';
    const follower = await TreeFollower.open(url, { cards: false, after: { [run]: 0 } }, token);
    await follower.until(() => follower.texts().length >= 3);
    const words = follower.texts();
    expect(words.map(({ run: of, agent, task }) => [of, agent, task])).toContainEqual([run, 'worker', 't1']);
    expect(SPOKEN).toContain(words.map(({ text }) => text).join(''));
    const isAnswered = (): boolean =>
      follower.batches.some(({ records }) => records.some(({ record }) => record.fact.kind === 'call.answered'));
    expect(isAnswered()).toBe(false);
    await follower.until(isAnswered);
    expect((await running.ended).code).toBe(0);
    await board.until(() => board.card(run)?.column === 'done' && board.card(run)?.details?.usage.calls === 2);
    const { seq } = board.card(run) ?? { seq: 0 };
    await follower.until(() => follower.numbers(run).length === seq);
    expect(follower.numbers(run)).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    expect(existsSync(join(sandbox.home, 'live', wordsFile(run)))).toBe(false);
    for (const stream of [board, follower]) stream.close();
  },
);
