import type { PageBeside, Drive } from '../session/driving-types.ts';
import { join } from 'node:path';
import { addGraphRoutes } from '../../server/graph/graph-routes.ts';
import { addLiveRoutes } from '../../server/live/live-routes.ts';
import { notePage } from '../../server/http/open-pages.ts';
import { LOOPBACK, type ServerOptions, startServer } from '../../server/http/start-server.ts';
import type { Door } from '../../server/http/door.ts';
import { OwnerDoor } from '../../server/http/owner-door.ts';
import { createServerApp } from '../../server/http/server-app.ts';
import { Tickets } from '../../server/http/tickets.ts';
import { webToken } from '../../app/secrets/web-token.ts';
import { noteTo, type Terminal } from '../terminal/terminal.ts';
import { packageRoot } from '../../tools/own/own-package.ts';
import type { OpenStore } from '../../app/world/store.ts';
import { createOperations } from '../../server/create-operations.ts';
import { spawn } from 'node:child_process';

export interface OpenPageOptions {
  readonly terminal: Terminal;
  readonly version: string;
  readonly store: OpenStore;
}

export interface PageOptions extends OpenPageOptions {
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
  const token = webToken(options.store.home);
  const tickets = new Tickets();
  const { origin, close } = await servePage(options, {
    listen: { port },
    door: (taken) => new OwnerDoor({ token, tickets, port: taken }),
    origin: (taken) => `http://${LOOPBACK}:${taken}`,
  });
  return { url: `${origin}/#t=${token}`, ticket: (place = '/') => `${origin}${place}#t=${tickets.issue()}`, close };
}

interface Serving {
  readonly listen: Omit<ServerOptions, 'app'>;
  /** Made once the port is known. */
  readonly door: (port: number) => Door;
  readonly origin: (port: number) => string;
}

/** The page behind a door. */
export async function servePage(
  { store, terminal, version }: OpenPageOptions,
  { listen, door, origin: originAt }: Serving,
): Promise<{ readonly origin: string; readonly port: number; readonly close: () => Promise<void> }> {
  const operations = createOperations({
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
    ...listen,
    app: (taken) =>
      createServerApp(operations, {
        door: door(taken),
        assets,
        routes: [addLiveRoutes, addGraphRoutes],
        onDefect,
      }),
  });
  const origin = originAt(server.port);
  const forget = notePage(store.home, origin);
  const close = async (): Promise<void> => {
    forget();
    await operations.finish({ stopsChecks: true });
    await server.close();
  };
  return { origin, port: server.port, close };
}

/** Shows the page in the user's browser where there is one to be seen. That it cannot be is not a fault: the address was printed. */
export function openBrowser(url: string, { environment }: Pick<Terminal, 'environment'>): void {
  const program = browserStarter(environment, process.platform);
  if (program === null) return;
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Null in CI, without a screen, and over a remote shell. */
export function browserStarter(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const isSet = (name: string): boolean => Boolean(environment[name]);
  if (isSet('CI') || isSet('SSH_CONNECTION')) return null;
  if (platform === 'darwin') return 'open';
  const hasScreen = isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
  return hasScreen ? 'xdg-open' : null;
}

export async function openPageBeside(terminal: Terminal, version: string, store: OpenStore): Promise<PageBeside> {
  const page = await startPage({ store, terminal, version, port: 0 });
  const stay: PageBeside['stay'] = async (drive, code, goOn) => {
    if (terminal.stderr.isTTY !== true || (await isInterrupted(drive))) return code;
    drive.printer.note(`The page stays open until Ctrl-C: ${page.url}`);
    const next = await Promise.race([drive.interrupt.asked, movedOn(drive)]);
    return next === 'interrupted' ? code : await stay(drive, await goOn(drive), goOn);
  };
  return {
    show(run, note) {
      const url = page.url.replace('/#', `/runs/${run}#`);
      if (terminal.mode.json) terminal.stdout.write(`${JSON.stringify({ kind: 'page.opened', run, url })}\n`);
      else note(`See it at: ${url}`);
      openBrowser(page.ticket(`/runs/${run}`), terminal);
    },
    stay,
    close: () => page.close(),
  };
}

const isInterrupted = async ({ interrupt }: Drive): Promise<boolean> =>
  (await Promise.race([interrupt.asked, Promise.resolve(null)])) === 'interrupted';

function movedOn({ host }: Drive): Promise<'moved'> {
  const { promise, resolve } = Promise.withResolvers<'moved'>();
  const stop = host.onLive((event) => {
    if (event.kind !== 'record') return;
    stop();
    resolve('moved');
  });
  return promise;
}
