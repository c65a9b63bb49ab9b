import { afterEach, expect, test } from 'vitest';
import { api, isUnreachable } from './client.ts';

afterEach(() => void Reflect.deleteProperty(globalThis, 'troupeEarly'));

/** What a server that is killed leaves of its answer. */
function cutAnswer(): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"records":[{"run":'));
      controller.error(new TypeError('network error'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

test('[U2] an answer that is cut off in the middle counts as none: the request is sent again', async () => {
  Object.assign(globalThis, { troupeEarly: new Map([['/api/runs/r/records', Promise.resolve(cutAnswer())]]) });
  const got = await api.get('/api/runs/r/records').catch((error: unknown) => error);
  expect([isUnreachable(got), got]).toMatchObject([true, { code: 'SERVER_UNREACHABLE' }]);
});
