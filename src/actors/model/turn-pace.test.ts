import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sampleRequest } from '../actor.contract.ts';
import type { CallRequest } from '../port.ts';
import { createModelActor } from './model-actor.ts';
import { TurnPace } from './turn-pace.ts';

test('[L8] of what begins at once only so much goes on in one turn of the event loop, in order', async () => {
  const pace = new TurnPace(8);
  const through: number[] = [];
  const one = async (index: number): Promise<void> => {
    await pace.enter();
    through.push(index);
  };
  const all = Promise.all(Array.from({ length: 30 }, (_, index) => one(index)));
  const seen: number[] = [];
  while (through.length < 30) {
    await nextTurn();
    seen.push(through.length);
  }
  await all;
  const grown = seen.map((count, at) => count - (seen[at - 1] ?? 0));
  expect(Math.max(...grown.slice(1))).toBe(8);
  expect(through).toEqual(through.toSorted((a, b) => a - b));
});

test('[L8] what begins alone waits for nothing', async () => {
  const pace = new TurnPace(1);
  expect(pace.enter()).toBeUndefined();
  await nextTurn();
  expect(pace.enter()).toBeUndefined();
});

test('[L8] a call that waits for its turn has not built its request', async () => {
  const reply = 'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const fetch = () => Promise.resolve(new Response(reply, { headers: { 'content-type': 'text/event-stream' } }));
  const baseUrl = 'http://127.0.0.1:9/v1';
  const actor = createModelActor({ name: 'mine', provider: 'openai-compatible', baseUrl, model: 'mine-1' }, fetch);
  const { signal } = new AbortController();
  // The first one loads what the others find.
  await actor.call(sampleRequest(), { signal });
  let built = 0;
  const request: CallRequest = {
    ...sampleRequest(),
    get messages() {
      built += 1;
      return [{ role: 'user' as const, content: 'Go on.' }];
    },
  };
  await nextTurn();
  const calls = Array.from({ length: 100 }, () => actor.call(request, { signal }));
  await nextTurn();
  expect(built).toBeGreaterThan(0);
  const early = built;
  const replies = await Promise.all(calls);
  expect(replies.every(({ kind }) => kind === 'answered')).toBe(true);
  expect(early).toBeLessThan(built / 1.5);
});
