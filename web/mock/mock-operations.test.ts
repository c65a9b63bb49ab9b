import { expect, test } from 'vitest';
import type { InboxPage } from '../../src/protocol/web/inbox-page.ts';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { addGraphRoutes } from '../../src/server/graph/graph-routes.ts';
import { OwnerDoor } from '../../src/server/http/owner-door.ts';
import { createServerApp } from '../../src/server/http/server-app.ts';
import { addLiveRoutes } from '../../src/server/live/live-routes.ts';
import { createMockOperations } from './mock-operations.ts';

const TOKEN = 'a-token-of-this-test-alone';
const PORT = 5199;

/** The server that `npm run web:dev` puts the page on, without a port. */
async function sampleServer() {
  const routes = [addLiveRoutes, addGraphRoutes];
  const app = createServerApp(await createMockOperations(), {
    door: new OwnerDoor({ token: TOKEN, port: PORT }),
    assets: '/nowhere',
    routes,
  });
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const origin = `http://127.0.0.1:${PORT}`;
    const answer = await app.fetch(
      new Request(`${origin}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, host: `127.0.0.1:${PORT}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  };
  return ask;
}

test('[U2] the server for work on the page has runs that go on, and takes answers', async () => {
  const ask = await sampleServer();
  const { cards } = await ask<RunPage>('/api/runs');
  expect(cards.length).toBeGreaterThanOrEqual(3);
  const open = async () => (await ask<InboxPage>('/api/questions')).questions;
  await expect.poll(async () => (await open()).length).toBe(1);
  const [asked] = await open();
  if (asked === undefined) throw new Error('Nobody asks.');
  await ask(`/api/runs/${asked.run}/answer`, { question: asked.question.name, text: 'sqlite' });
  await expect.poll(async () => (await open()).length).toBe(0);
  const { nodes } = await ask<{ readonly nodes: readonly object[] }>(`/api/runs/${asked.run}/graph`);
  expect(nodes.length).toBeGreaterThan(2);
  const { run } = await ask<{ readonly run: string }>('/api/runs', { workflow: 'ask_first', input: {} });
  await ask(`/api/runs/${run}/cancel`, { reason: '-v' });
  expect(await ask(`/api/runs/${run}`)).toMatchObject({ outcome: 'cancelled' });
});
