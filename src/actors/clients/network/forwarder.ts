import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { joinStreams } from './join-streams.ts';

/**
 * Stands between a client and its box, which has no network: listens on the box's own loopback and passes each connection on to the
 * socket that the engine lent for it, then starts the client and ends as it ends. A separate program, so it imports nothing of the
 * engine. It decides nothing: the other end decides which hosts are reachable.
 */
export interface ForwarderPlan {
  readonly ways: readonly ForwardRoute[];
  /** Variables that the client gets and this program does not have. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ForwardRoute {
  readonly hosts: readonly string[];
  readonly port: number;
  /** The path of the socket. */
  readonly socket: string;
}

const [plan = '', program = '', ...args] = process.argv.slice(2);
const { ways, env } = JSON.parse(plan) as ForwarderPlan;

// Not awaited here: as a module that waits it would take longer to load.
void Promise.all(ways.flatMap((way) => way.hosts.map((host) => listen(host, way)))).then(startClient);

/** If it cannot listen, callers are refused, which is enough of an error. */
async function listen(host: string, { port, socket }: ForwardRoute): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
    const options: NetConnectOpts = { path: socket, allowHalfOpen: true };
    joinStreams(caller, connect(options));
  });
  server.listen(port, host);
  await once(server, 'listening').catch(() => undefined);
}

function startClient(): void {
  const client = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => client.kill(signal));
  client.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(NOT_FOUND);
  });
  client.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const NOT_FOUND = 127;
