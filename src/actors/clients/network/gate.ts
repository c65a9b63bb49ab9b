import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server, Socket } from 'node:net';
import type { ForwardRoute } from './forwarder.ts';
import { joinStreams } from './join-streams.ts';
import { createProxy } from './proxy.ts';
import { ownPort, type OwnPort, type Reach } from './reach.ts';
import { GATE_PREFIX, removeStaleGates } from './stale-gates.ts';

/** The ways out of one box, for as long as it stands. */
export interface Gate {
  /** Where the sockets are, which the box has to see. */
  readonly folder: string;
  /** What is to be listened to inside. */
  readonly ways: readonly ForwardRoute[];
  /** By which a client finds the way to hosts elsewhere. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/**
 * A socket for each place on this machine that may be reached, and one with a proxy for all that is elsewhere. Sockets of the
 * file system lead out of a box without network, and each of them to what it was opened for, whoever calls.
 */
export async function openNetworkGate(reach: Reach): Promise<Gate> {
  const parent = shortFolder();
  sweep ??= removeStaleGates(parent).catch(() => undefined);
  const folder = await mkdtemp(join(parent, GATE_PREFIX));
  const own = reach.flatMap((host) => ownPort(host) ?? []);
  const elsewhere = reach.filter((host) => ownPort(host) === null);
  const outlets = own.map((place, index): Outlet => {
    const way = { hosts: insideOf(place), port: place.port, socket: join(folder, String(index)) };
    return { way, server: leadTo(place) };
  });
  const port = freePort(own);
  if (elsewhere.length > 0) {
    const way = { hosts: ['127.0.0.1'], port, socket: join(folder, 'web') };
    outlets.push({ way, server: createProxy(elsewhere) });
  }
  const callers = new Set<Socket>();
  await Promise.all(outlets.map((outlet) => open(outlet, callers)));
  return {
    folder,
    ways: outlets.map(({ way }) => way),
    environment: elsewhere.length === 0 ? {} : proxyVariables(port),
    close: async () => {
      for (const { server } of outlets) server.close();
      for (const caller of callers) caller.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Once is enough for a process, and nobody has to wait for it. */
let sweep: Promise<void> | undefined;

interface Outlet {
  readonly way: ForwardRoute;
  readonly server: Server;
}

/** The path of a socket has room for a hundred bytes. */
function shortFolder(): string {
  return Buffer.byteLength(tmpdir()) > 70 ? '/tmp' : tmpdir();
}

/** A name stands for both addresses. */
const insideOf = ({ host }: OwnPort): readonly string[] => (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]);

function leadTo({ host, port }: OwnPort): Server {
  return createServer({ allowHalfOpen: true }, (caller) => {
    joinStreams(caller, connect({ host, port, allowHalfOpen: true, noDelay: true }));
  });
}

/** Inside of the box all ports are free but those that lead out. */
function freePort(taken: readonly OwnPort[]): number {
  let port = USUAL_PROXY_PORT;
  while (taken.some((each) => each.port === port)) port += 1;
  return port;
}

const USUAL_PROXY_PORT = 3128;

async function open({ server, way }: Outlet, callers: Set<Socket>): Promise<void> {
  server.on('connection', (caller: Socket) => {
    callers.add(caller);
    caller.once('close', () => callers.delete(caller));
  });
  server.listen(way.socket);
  await once(server, 'listening');
  server.unref();
}

function proxyVariables(port: number): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}`;
  const named = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1,localhost,::1' };
  const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...named, ...Object.fromEntries(lower) };
}
