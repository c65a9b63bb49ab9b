import { once } from 'node:events';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../../../tools/command-environment.ts';
import type { Box } from '../../../sandbox/port.ts';
import type { ForwarderPlan, ForwardRoute } from './forwarder.ts';
import { joinStreams } from './join-streams.ts';
import { createProxy } from './proxy.ts';
import { ownPort, type OwnPort, type Reach } from './reach.ts';

/** How the folders of gates begin. */
const GATE_PREFIX = 'troupe-gate-';

/** Removes the folders of killed engines: ours, with sockets that have no listener. */
export async function removeStaleGates(parent: string, now = Date.now()): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  const folders = names.filter((name) => name.startsWith(GATE_PREFIX)).map((name) => join(parent, name));
  for (const folder of folders) {
    if (await isStale(folder, now).catch(() => false)) await rm(folder, { recursive: true, force: true });
  }
}

/** One that is just being opened is not listened to either. */
const YOUNG_MS = 60_000;

async function isStale(folder: string, now: number): Promise<boolean> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || now - found.mtimeMs < YOUNG_MS) return false;
  const sockets = await readdir(folder);
  const heard = await Promise.all(sockets.map((name) => isHeard(join(folder, name))));
  return !heard.includes(true);
}

async function isHeard(path: string): Promise<boolean> {
  const caller = connect(path);
  const isThere = await once(caller, 'connect').then(
    () => true,
    () => false,
  );
  caller.destroy();
  return isThere;
}

/** The ways out of one box, as long as it exists. */
export interface Gate {
  /** The folder of the sockets, which the box has to see. */
  readonly folder: string;
  /** The routes to serve inside. */
  readonly ways: readonly ForwardRoute[];
  /** By which a client finds the way to hosts elsewhere. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a socket for each allowed place on this machine, and one with a proxy for all others. Sockets of the file system lead out
 * of a box without network, and each leads only to its target, whichever program calls.
 */
async function openNetworkGate(reach: Reach): Promise<Gate> {
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

/** Once per process, in the background. */
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

/** A program for a box without network, which still gets to where it may. */
export interface ReachingProgram {
  readonly argv: readonly string[];
  readonly box: Box;
  /** Only asked for where the box has no network. */
  readonly reach?: Reach;
}

/** The program to start instead, and the gate to close when it has ended. */
export interface GatedProgram extends Pick<ReachingProgram, 'argv' | 'box'> {
  readonly close: () => Promise<void>;
}

/** `variables`: further ones of the program itself, which nothing around it has. */
export async function gatedProgram(
  { argv, box, reach = [] }: ReachingProgram,
  variables: Readonly<Record<string, string>>,
): Promise<GatedProgram> {
  if (box.network || reach.length === 0) {
    return { argv, box: { ...box, env: { ...box.env, ...variables } }, close: () => Promise.resolve() };
  }
  const { folder, ways, environment, close } = await openNetworkGate(reach);
  const plan: ForwarderPlan = { ways, env: { ...environment, ...variables } };
  const seen = [folder, dirname(FORWARDER)].map((path) => ({ path, access: 'read' as const }));
  return {
    argv: [process.execPath, '--no-warnings', FORWARDER, JSON.stringify(plan), ...argv],
    box: { ...box, folders: [...programFolder(process.execPath, box.hidden), ...seen, ...box.folders] },
    close,
  };
}

/** Run from sources the forwarder is a source too; in a bundle it is next to the bundle. */
const FORWARDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './forwarder.ts' : './client-forwarder.cjs', import.meta.url),
);
