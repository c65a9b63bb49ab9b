import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between one process and its server, and can be cut: nothing passes then, and nobody is told. */
export interface CutOffProxy {
  readonly address: string;
  cut(): void;
  /** Connections from before stay silent for ever, as those of a network that came back. */
  mend(): void;
  close(): Promise<void>;
}

export async function startCutOffProxy(address: string): Promise<CutOffProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    keep(sockets, client);
    if (isCut) return;
    const upstream = connect(Number(target.port), target.hostname);
    keep(sockets, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(address);
  own.port = String((server.address() as AddressInfo).port);
  return {
    address: own.href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
}
