import { expect, test } from 'vitest';
import { WriterQueue } from './writer-queue.ts';

const calm = new AbortController().signal;

test('[W2] the first to come is first, and each starts only after the one before it has ended', async () => {
  const turns = new WriterQueue();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take(calm, async () => {
    seen.push('first begins');
    await gate.promise;
    seen.push('first ends');
  });
  const second = turns.take(calm, () => Promise.resolve(void seen.push('second')));
  await Promise.resolve();
  gate.resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

test('[W2] one that is stopped while it waits is rejected at once, never starts, and does not change the order', async () => {
  const turns = new WriterQueue();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = turns.take(calm, async () => {
    await gate.promise;
    seen.push('first');
  });
  const stop = new AbortController();
  const second = turns.take(stop.signal, () => Promise.resolve(void seen.push('second')));
  const third = turns.take(calm, () => Promise.resolve(void seen.push('third')));
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  expect(seen).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(seen).toEqual(['first', 'third']);
});

test('[W2] work that fails gives its turn to the next', async () => {
  const turns = new WriterQueue();
  const failing = turns.take(calm, () => Promise.reject(new Error('broken')));
  const next = turns.take(calm, () => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

test('[W2] one that was already stopped is not waited for', async () => {
  const turns = new WriterQueue();
  await expect(turns.take(AbortSignal.abort(new Error('late')), () => Promise.resolve())).rejects.toThrow('late');
  expect(await turns.take(calm, () => Promise.resolve('free'))).toBe('free');
});
