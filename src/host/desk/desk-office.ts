import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { DeskBridge } from '../../actors/port.ts';
import { deskServer } from './desk-server.ts';
import { doorProblem, passHolder, newPass, type DeskPass } from './door.ts';
import { ReplyInbox } from './reply-inbox.ts';
import type { DeskOffice, DeskOrder, OpenDesk } from './port.ts';
import { exchange, refuse } from './web-exchange.ts';

export interface OfficeOptions {
  /** The engine's version, sent to clients. */
  readonly version?: string;
  readonly progressMs?: number;
}

const PATH = '/mcp';
const PROGRESS_MS = 10_000;

/** More than any request needs. */
const REQUEST_MS = 30_000;

/** One server for all desks of this process, on loopback. It keeps no process alive. */
export async function openDeskOffice(options: OfficeOptions = {}): Promise<DeskOffice> {
  const mcp = await import('@modelcontextprotocol/server');
  const desks = new Set<Served>();
  const server = createServer({ requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    // A connection that is cut ends its own exchange only.
    answer(incoming, outgoing, desks).catch(() => outgoing.destroy());
  });
  const port = await listen(server);
  const open = (order: DeskOrder): Promise<OpenDesk> => {
    const handed = new ReplyInbox(order);
    const desk = { order, handed, version: options.version ?? '0', progressMs: options.progressMs ?? PROGRESS_MS };
    // Streamed, so that a client whose reply is checked for minutes keeps receiving bytes.
    const handler = mcp.createMcpHandler(() => deskServer(mcp, desk), { responseMode: 'sse' });
    // Earlier requests are still answered; a stream that a client left open ends with its connection.
    const close = async (): Promise<void> => {
      desks.delete(served);
      await handed.close();
    };
    const served: Served = { pass: newPass(), handler, close };
    desks.add(served);
    return Promise.resolve(openDesk(served.pass, { port, handed, order, close }));
  };
  const close = async (): Promise<void> => {
    // An error at a desk is thrown to the caller that closes that desk.
    await Promise.allSettled([...desks].map((desk) => desk.close()));
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeAllConnections();
    await promise;
  };
  return { open, close };
}

interface Served {
  readonly pass: DeskPass;
  readonly handler: McpHttpHandler;
  readonly close: () => Promise<void>;
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, desks: Iterable<Served>): Promise<void> {
  const problem = doorProblem(incoming.headers, incoming.socket.localPort ?? 0);
  if (problem !== null) return refuse(outgoing, problem);
  if (incoming.url !== PATH) return refuse(outgoing, 404);
  const desk = passHolder(desks, incoming.headers);
  if (desk === null) return refuse(outgoing, 401);
  await exchange(incoming, outgoing, (request) => desk.handler.fetch(request));
}

async function listen(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  server.unref();
  return (server.address() as AddressInfo).port;
}

interface Opened extends Pick<OpenDesk, 'close'> {
  readonly port: number;
  readonly handed: ReplyInbox;
  readonly order: DeskOrder;
}

function openDesk({ token }: DeskPass, { port, handed, order, close }: Opened): OpenDesk {
  const url = `http://127.0.0.1:${port}${PATH}`;
  return {
    url,
    headers: { Authorization: `Bearer ${token}` },
    tools: order.tools.map(({ name }) => name),
    bridge: bridgeTo(url, token),
    onCheck: (hold) => handed.onCheck(hold),
    onAccepted: (end) => handed.onAccepted(end),
    accepted: handed.accepted,
    settled: () => handed.settled(),
    close,
  };
}

/** When run from sources the bridge is a source too; otherwise it is next to the bundle. */
function bridgeTo(url: string, token: string): DeskBridge {
  const file = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './bridge.ts' : './desk-bridge.js', import.meta.url),
  );
  return {
    command: [process.execPath, '--no-warnings', file],
    environment: { TROUPE_DESK_URL: url, TROUPE_DESK_TOKEN: token },
    folders: [dirname(process.execPath), dirname(file)],
  };
}
