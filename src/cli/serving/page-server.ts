import { join } from 'node:path';
import { addGraphRoutes } from '../../server/graph/graph-routes.ts';
import { addLiveRoutes } from '../../server/live/live-routes.ts';
import { LOOPBACK, startServer } from '../../server/http/start-server.ts';
import { createServerApp } from '../../server/http/server-app.ts';
import { webToken } from '../../server/http/web-token.ts';
import { packageRoot } from '../session/package-files.ts';
import type { Store } from '../session/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createBackstage } from './create-backstage.ts';

export interface PageOptions {
  readonly store: Store;
  readonly terminal: Terminal;
  readonly version: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface PageServer {
  /** With the token after the #, which no browser sends anywhere. */
  readonly url: string;
  close(): Promise<void>;
}

/** The web page, served from this process to this machine. */
export async function startPage({ store, terminal, version, port }: PageOptions): Promise<PageServer> {
  const token = webToken(store.home);
  const backstage = createBackstage({ store, terminal, version, entry: process.argv[1] ?? '' });
  const assets = join(packageRoot(), 'dist', 'web');
  const onDefect = (error: unknown): void => {
    if (terminal.environment['TROUPE_DEBUG'])
      terminal.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  };
  const server = await startServer({
    port,
    app: (taken) =>
      createServerApp(backstage, { token, port: taken, assets, routes: [addLiveRoutes, addGraphRoutes], onDefect }),
  });
  return { url: `http://${LOOPBACK}:${server.port}/#t=${token}`, close: () => server.close() };
}
