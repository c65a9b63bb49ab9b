import { expect, test } from 'vitest';
import { aloneIn } from './client-turn.ts';

const never = new AbortController().signal;

test('two who want the same conversation have it one after the other, whatever became of the first', async () => {
  const story: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = aloneIn('s', never, async () => {
    story.push('first');
    await gate.promise;
    story.push('first is over');
    throw new Error('It failed.');
  });
  const second = aloneIn('s', never, async () => story.push('second'));
  const third = aloneIn('s', never, async () => story.push('third'));
  await aloneIn('another', never, async () => story.push('another'));
  gate.resolve();
  await expect(first).rejects.toThrow('It failed.');
  await Promise.all([second, third]);
  expect(story).toEqual(['first', 'another', 'first is over', 'second', 'third']);
});

test('an aborted caller stops waiting, and those behind it still wait for the first', async () => {
  const story: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = aloneIn('s', never, async () => {
    await gate.promise;
    story.push('first');
  });
  const controller = new AbortController();
  const second = aloneIn('s', controller.signal, async () => story.push('second'));
  const third = aloneIn('s', never, async () => story.push('third'));
  controller.abort();
  await expect(second).rejects.toThrow('aborted');
  expect(story).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(story).toEqual(['first', 'third']);
});
