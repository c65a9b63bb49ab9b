import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '../../../src/core/model/fault.ts';
import type { Journal } from '../../../src/journal/port.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { errorBody, statusOf } from '../../../src/server/http/api-error.ts';
import { addLiveRoutes, type LiveOperations, type LiveOptions } from '../../../src/server/live/live-routes.ts';

export interface LiveServer {
  readonly home: string;
  readonly url: string;
  /** A journal of the test's own on the same file. */
  readonly journal: Journal;
  get<Answer>(path: string, init?: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

/** The live routes on a real socket over a real journal; a second journal on the same file writes. */
export async function openLiveServer(events: LiveOptions = {}): Promise<LiveServer> {
  const home = mkdtempSync(join(tmpdir(), 'troupe-live-'));
  const [own, journal] = [await openSqliteJournal({ home }), await openSqliteJournal({ home })];
  const server = await listening(liveApp({ home, journal: own }, events));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    home,
    url,
    journal,
    async get<Answer>(path: string, init: RequestInit = {}) {
      const answer = await fetch(url + path, init);
      return (await answer.json()) as Answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([own.close(), journal.close()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function liveApp({ home, journal }: LiveOperations, events: LiveOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => context.json(errorBody(error), isFault(error) ? statusOf(error.code) : 500));
  addLiveRoutes(app, { home, journal }, events);
  return app;
}

const listening = (app: Hono): Promise<Server> =>
  new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(server as Server));
  });
