import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a journal and its server, loses answers, and cuts the line. */
export interface LossyProxy {
  readonly address: string;
  /** The answer to the next request that contains this text is lost: the server gave it, and the connection breaks. */
  readonly loseAnswerTo: (text: string) => void;
  /** How many were lost. */
  readonly lost: () => number;
  /** From now on nothing gets through, without an error. */
  readonly cut: () => void;
  /** What was cut off breaks, and new connections get through. */
  readonly heal: () => void;
  /** New connections get through; what was cut off stays silent for ever, as in a network that came back. */
  readonly reconnect: () => void;
  readonly close: () => Promise<void>;
}

/** `change`: what becomes of the server's answers, at the same length. */
export async function startLossyProxy(address: string, change = unchanged): Promise<LossyProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let lossText: string | undefined;
  let lost = 0;
  let isCut = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isDoomed = false;
    joinEnds(client, upstream, sockets);
    if (isCut) silent.add(client);
    client.on('data', (data) => {
      if (silent.has(client)) return;
      if (lossText !== undefined && data.includes(lossText)) {
        isDoomed = true;
        lossText = undefined;
      }
      upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      if (silent.has(client)) return;
      if (isDoomed) {
        lost += 1;
        client.destroy();
      } else client.write(change(data));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: withPort(address, (server.address() as AddressInfo).port),
    loseAnswerTo: (text) => void (lossText = text),
    lost: () => lost,
    cut: () => {
      isCut = true;
      for (const socket of sockets) silent.add(socket);
    },
    heal: () => {
      isCut = false;
      for (const socket of sockets) socket.destroy();
    },
    reconnect: () => void (isCut = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function withPort(address: string, port: number): string {
  const own = new URL(address);
  own.port = String(port);
  return own.href;
}

const unchanged = (answer: Buffer): Buffer => answer;

/** What ends one of them ends the other. */
function joinEnds(client: Socket, upstream: Socket, sockets: Set<Socket>): void {
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      client.destroy();
      upstream.destroy();
    });
  }
}
