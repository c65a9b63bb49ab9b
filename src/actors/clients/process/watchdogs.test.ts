import { expect, test } from 'vitest';
import { Watchdogs } from './watchdogs.ts';

const LONG = 2 ** 40;

/** Which alarm goes off first. */
function watch(idleMs: number, wallMs: number): { dogs: Watchdogs; alarm: Promise<string>; heard: string[] } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const heard: string[] = [];
  const dogs = new Watchdogs({ idleMs, wallMs }, (which) => {
    heard.push(which);
    resolve(which);
  });
  dogs.start();
  return { dogs, alarm: promise, heard };
}

test('[Q5] one that is silent for too long, and one that takes too long', async () => {
  expect(await watch(5, LONG).alarm).toBe('idle');
  expect(await watch(LONG, 5).alarm).toBe('wall');
});

test('[Q5] a program that writes is not silent, but its time still runs', async () => {
  const talking = watch(200, 300);
  const voice = setInterval(() => talking.dogs.heard(), 1);
  expect(await talking.alarm).toBe('wall');
  clearInterval(voice);
  talking.dogs.close();
});

test('[Q5] nothing counts while somebody is asked, and afterwards it counts again', async () => {
  const asking = watch(20, 20);
  const [first, second] = [asking.dogs.hold(), asking.dogs.hold()];
  // A second one with the same limits and no question is over by then.
  await watch(40, 40).alarm;
  first();
  first();
  await watch(40, 40).alarm;
  expect(asking.heard).toEqual([]);
  second();
  expect(['idle', 'wall']).toContain(await asking.alarm);
  asking.dogs.close();
});

test('a closed one never goes off, also when an answer comes late', async () => {
  const closed = watch(10, 10);
  const release = closed.dogs.hold();
  closed.dogs.close();
  release();
  closed.dogs.heard();
  await watch(40, 40).alarm;
  expect(closed.heard).toEqual([]);
});
