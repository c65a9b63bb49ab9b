import { join } from 'node:path';
import { addGraphRoutes } from '../../server/graph/graph-routes.ts';
import { addLiveRoutes } from '../../server/live/live-routes.ts';
import { notePage } from '../../server/http/open-pages.ts';
import { LOOPBACK, startServer } from '../../server/http/start-server.ts';
import { createServerApp } from '../../server/http/server-app.ts';
import { Tickets } from '../../server/http/tickets.ts';
import { webToken } from '../../app/secrets/web-token.ts';
import { noteTo, type Terminal } from '../terminal/terminal.ts';
import { packageRoot } from '../../app/library/package-files.ts';
import type { OpenStore } from '../../app/world/store.ts';
import { createBackstage } from '../../server/create-backstage.ts';

export interface PageOptions {
  readonly terminal: Terminal;
  readonly version: string;
  readonly store: OpenStore;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface PageServer {
  /** With the token after the #, which no browser sends anywhere. */
  readonly url: string;
  /** The address for a browser that is started from here, of this place in the page: everybody can read what programs are started with. */
  ticket(place?: string): string;
  close(): Promise<void>;
}

/** The web page, served from this process to this machine. */
export async function startPage({ port, ...options }: PageOptions): Promise<PageServer> {
  const { store, terminal, version } = options;
  const token = webToken(store.home);
  const tickets = new Tickets();
  const backstage = createBackstage({
    store,
    caller: terminal,
    version,
    tell: noteTo(terminal),
    entry: process.argv[1] ?? '',
  });
  const assets = join(packageRoot(), 'dist', 'web');
  const onDefect = (error: unknown): void => {
    if (terminal.environment['TROUPE_DEBUG'])
      terminal.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  };
  const server = await startServer({
    port,
    app: (taken) =>
      createServerApp(backstage, {
        token,
        tickets,
        port: taken,
        assets,
        routes: [addLiveRoutes, addGraphRoutes],
        onDefect,
      }),
  });
  const origin = `http://${LOOPBACK}:${server.port}`;
  const forget = notePage(store.home, origin);
  const close = async (): Promise<void> => {
    forget();
    await backstage.finish({ stopsChecks: true });
    await server.close();
  };
  return { url: `${origin}/#t=${token}`, ticket: (place = '/') => `${origin}${place}#t=${tickets.issue()}`, close };
}
