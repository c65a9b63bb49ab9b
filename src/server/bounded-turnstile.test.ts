import { expect, test } from 'vitest';
import { BoundedTurnstile } from './bounded-turnstile.ts';

interface Work {
  readonly begun: boolean;
  readonly end: () => void;
  readonly done: Promise<string>;
}

function working(gate: BoundedTurnstile, name: string, signal?: AbortSignal): Work {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = { begun: false, end: () => resolve(name), done: Promise.resolve('') };
  work.done = gate.pass(async () => {
    work.begun = true;
    return await promise;
  }, signal);
  return work;
}

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('[W15] a fixed number is under way at once, the next ones wait in order, and further ones are refused with a sentence', async () => {
  const gate = new BoundedTurnstile({ atOnce: 2, waiting: 2 });
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => working(gate, name));
  await expect(gate.pass(async () => await Promise.resolve('e'))).rejects.toMatchObject({
    code: 'SERVER_BUSY',
    message: '2 requests are in progress and 2 are waiting: this one was refused.',
  });
  expect([a, b, c, d].map((work) => work?.begun)).toEqual([true, true, false, false]);
  a?.end();
  expect(await a?.done).toBe('a');
  await settled();
  expect([c?.begun, d?.begun]).toEqual([true, false]);
  for (const work of [b, c, d]) work?.end();
  expect(await Promise.all([b?.done, c?.done, d?.done])).toEqual(['b', 'c', 'd']);
  expect(await gate.pass(async () => await Promise.resolve('again'))).toBe('again');
});

test('[W15] a request that gives up waiting frees its place, and so does one that fails', async () => {
  const gate = new BoundedTurnstile({ atOnce: 1, waiting: 1 });
  const first = working(gate, 'first');
  const leaving = new AbortController();
  const second = working(gate, 'second', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(second.done).rejects.toThrow('gone');
  const failing = gate.pass(() => Promise.reject(new Error('failed')));
  first.end();
  await expect(failing).rejects.toThrow('failed');
  const last = working(gate, 'last');
  last.end();
  expect([await last.done, second.begun]).toEqual(['last', false]);
});
