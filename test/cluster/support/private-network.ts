import { spawnSync } from 'node:child_process';
import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';

/** Machines that are connected with this one and with each other by a switch, and with nothing else. */
export interface PrivateNetwork {
  /** Of this machine, for all of them. */
  readonly here: string;
  /** The whole network, as in `10.1.2.0/24`. */
  readonly range: string;
  /** What a program is started through so that it runs on machine `index`. */
  readonly through: (index: number) => readonly string[];
  /** Pulls the plug. */
  readonly cut: (index: number) => void;
  readonly restore: (index: number) => void;
  readonly dispose: () => void;
}

/** Whether this user may make networks here: tried out. */
export function canMakeNetworks(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    makePrivateNetwork(1).dispose();
    return true;
  } catch {
    return false;
  }
}

/** Everything in it has a name with the number of this process in it, and nothing else is touched. */
export function makePrivateNetwork(machines: number): PrivateNetwork {
  // Interface names have at most 15 characters.
  const id = `tr${process.pid.toString(36)}`;
  const net = `10.${128 + ((process.pid >> 8) & 63)}.${process.pid & 255}`;
  const [bridge, here] = [`${id}b`, `${net}.1`];
  const spaces = Array.from({ length: machines }, (_, index) => `${id}n${index}`);
  const dispose = (): void => {
    // What belongs to a namespace goes with it, and with one end of a line the other.
    for (const [index, space] of spaces.entries()) {
      tryIp('link', 'del', `${id}v${index}`);
      tryIp('netns', 'del', space);
    }
    tryIp('link', 'del', bridge);
  };
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${here}/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    for (const [index, space] of spaces.entries()) {
      const [outside, inside] = [`${id}v${index}`, `${id}w${index}`];
      ip('netns', 'add', space);
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space);
      ip('link', 'set', outside, 'master', bridge, 'up');
      ip('-n', space, 'addr', 'add', `${net}.${10 + index}/24`, 'dev', inside);
      ip('-n', space, 'link', 'set', inside, 'up');
      ip('-n', space, 'link', 'set', 'lo', 'up');
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    here,
    range: `${net}.0/24`,
    through: (index) => ['ip', 'netns', 'exec', spaces[index] ?? ''],
    cut: (index) => ip('link', 'set', `${id}v${index}`, 'down'),
    restore: (index) => ip('link', 'set', `${id}v${index}`, 'up'),
    dispose,
  };
}

function ip(...words: readonly string[]): void {
  const { status, stderr, error } = spawnSync('ip', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${error?.message ?? stderr}`);
}

const tryIp = (...words: readonly string[]): void => void spawnSync('ip', words, { stdio: 'ignore' });

/** Lets machines of a private network reach a port of the loopback interface. */
export async function forwardPort(host: string, port: number): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
