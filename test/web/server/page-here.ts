import { onTestFinished } from 'vitest';
import { openStore, type OpenStore } from '../../../src/app/world/store.ts';
import { KnownSecrets } from '../../../src/secrets/known-secrets.ts';
import { createOperations, type OpenOperations } from '../../../src/server/create-operations.ts';
import { addGraphRoutes } from '../../../src/server/graph/graph-routes.ts';
import { OwnerDoor } from '../../../src/server/http/owner-door.ts';
import { createServerApp } from '../../../src/server/http/server-app.ts';
import { addLiveRoutes } from '../../../src/server/live/live-routes.ts';
import { PROGRAM, type Sandbox } from '../../cli/sandbox.ts';

export interface PageHere {
  readonly store: OpenStore;
  readonly operations: OpenOperations;
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
}

/** The server of a project in this process, without a port. */
export async function pageHere(sandbox: Pick<Sandbox, 'home' | 'project'>): Promise<PageHere> {
  const environment = {
    PATH: process.env['PATH'],
    HOME: sandbox.home,
    TROUPE_HOME: sandbox.home,
    TROUPE_SANDBOX: 'best',
  };
  const caller = { folder: sandbox.project, environment, secrets: new KnownSecrets() };
  const store = await openStore(caller);
  const operations = createOperations({ store, caller, entry: PROGRAM, version: '0.0.0', tell: () => undefined });
  onTestFinished(async () => {
    await operations.finish({ stopsChecks: true });
    await store.journal.close();
  });
  const app = createServerApp(operations, {
    door: new OwnerDoor({ token: 'x', port: 80 }),
    assets: '/nowhere',
    routes: [addLiveRoutes, addGraphRoutes],
  });
  const headers = { host: '127.0.0.1', authorization: 'Bearer x', 'content-type': 'application/json' };
  return {
    store,
    operations,
    get: async (path) => await app.request(path, { headers }),
    post: async (path, body = {}) => await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}
