import { expect, onTestFinished, test } from 'vitest';
import { createMemoryJournal } from '../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from './embedded/embedded-host.ts';
import { LoopTurn } from './loop-turn.ts';
import { systemClock } from './system-clock.ts';
import { build, end, to, turn, work } from './testing/build-definition.ts';
import { says, testWorld } from './testing/test-world.ts';

const keepBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('a young turn of the event loop needs no pause', () => {
  expect(new LoopTurn(Number.POSITIVE_INFINITY).pause()).toBeUndefined();
});

test('in a long turn all wait for a later one, in the order they came', async () => {
  const loop = new LoopTurn(1);
  void loop.pause();
  keepBusy(2);
  const order: string[] = [];
  const first = loop.pause()?.then(() => order.push('first'));
  const second = loop.pause()?.then(() => order.push('second'));
  queueMicrotask(() => order.push('this turn'));
  await Promise.all([first, second]);
  expect(order).toEqual(['this turn', 'first', 'second']);
});

test('who takes long in a later turn makes the others wait once more', async () => {
  const loop = new LoopTurn(1);
  void loop.pause();
  keepBusy(2);
  const turns: number[] = [];
  let turn = 0;
  const one = async (): Promise<void> => {
    await loop.pause();
    turns.push(turn);
    keepBusy(2);
  };
  const all = [one(), one(), one()];
  for (; turns.length < all.length; turn += 1) await nextTurn();
  await Promise.all(all);
  expect(new Set(turns).size).toBe(3);
});

test('a run takes an answer only when the event loop has room for it', async () => {
  const [answered, room] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isCrowded = false;
  const pause = (): Promise<void> | undefined => (isCrowded ? room.promise : undefined);
  const answer = () => {
    isCrowded = true;
    answered.resolve();
    return says('done');
  };
  const world = testWorld({ journal: createMemoryJournal(), answer, clock: { ...systemClock, pause } });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  const states = [work('talk', turn('coder', "'Go.'"), [to('stop')]), end('stop')];
  const run = await host.start({ definition: build({ states, roles: { coder: {} } }), input: {}, project: '/' });
  await answered.promise;
  await nextTurn();
  expect((await host.snapshot(run)).status).toBe('running');
  room.resolve();
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
});
