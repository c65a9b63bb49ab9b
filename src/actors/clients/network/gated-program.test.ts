import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testSandbox } from '../../../tools/testing/test-sandbox.ts';
import { ClientProcess } from '../process/client-process.ts';
import type { Reach } from './reach.ts';

const HOUR = 3_600_000;
const openSandbox = testSandbox('bubblewrap');
const folder = mkdtempSync(join(tmpdir(), 'gated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => mkdirSync(join(folder, 'work')));

/** Says back what it hears, when that has ended. */
async function echo(host = '127.0.0.1'): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket));
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function start(script: string, reach: Reach, words = 'client') {
  const file = join(folder, 'work', `${randomUUID()}.mjs`);
  writeFileSync(file, script);
  const lines: string[] = [];
  const env = { PATH: '/usr/bin:/bin' };
  const work = join(folder, 'work');
  const box = { cwd: work, env, folders: [{ path: work, access: 'write' as const }], hidden: [], network: false };
  const gates = new Set(gateFolders());
  const client = await ClientProcess.start(
    { sandbox: await openSandbox(), argv: [process.execPath, file, words], box, reach },
    {
      limits: { idleMs: HOUR, wallMs: HOUR },
      signal: new AbortController().signal,
      onLine: ({ text }) => lines.push(text),
    },
  );
  const gate = gateFolders().find((name) => !gates.has(name)) ?? '';
  return { client, lines, gate, file };
}

/** Gates of this process only: other tests of clients open and close theirs in the same place. */
function gateFolders(): readonly string[] {
  const own = new Set(readdirSync('/proc/self/fd').map(socketBehind));
  const sockets = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/));
  return sockets.flatMap(([, , , , , , inode = '', path = '']) => {
    const gate = basename(dirname(path));
    return own.has(`socket:[${inode}]`) && gate.startsWith('troupe-gate-') ? [gate] : [];
  });
}

function socketBehind(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

const TRY = `
import { connect } from 'node:net';
import { lookup } from 'node:dns/promises';
import { createSocket } from 'node:dgram';
const tcp = (host, port, words = 'hello') => new Promise((resolve) => {
  let heard = '';
  const socket = connect({ host, port });
  socket.setTimeout(5000, () => resolve('TIMEOUT'));
  socket.on('error', ({ code }) => resolve(code));
  socket.on('data', (data) => (heard += data));
  socket.on('end', () => resolve(heard));
  socket.end(words);
});
const proxied = async (words) => (await tcp('127.0.0.1', 3128, words)).split('\\r\\n')[0];
const udp = (host, port) => new Promise((resolve) => {
  createSocket('udp4').send('hello', port, host, (error) => resolve(error?.code ?? 'sent'));
});
const seen = {};
`;

async function runScript(script: string, reach: Reach): Promise<Record<string, unknown>> {
  const { client, lines } = await start(`${TRY}${script}\nconsole.log(JSON.stringify(seen)); process.exit(7);`, reach);
  client.endInput();
  expect(await client.ended).toMatchObject({ exitCode: 7, stopped: null, errorOutput: '' });
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

test('[L8] a client reaches what it may at the same port, and nothing else of this machine', async () => {
  const [desk, endpoint, other] = [await echo(), await echo(), await echo()];
  const script = `
    seen.desk = await tcp('127.0.0.1', ${desk});
    seen.endpoint = await tcp('localhost', ${endpoint}, 'x'.repeat(3_000_000)).then((text) => text.length);
    seen.other = await tcp('127.0.0.1', ${other});
    seen.noProxy = Object.keys(process.env).filter((name) => /proxy/i.test(name));`;
  expect(await runScript(script, [`127.0.0.1:${desk}`, `localhost:${endpoint}`])).toEqual({
    desk: 'hello',
    endpoint: 3_000_000,
    other: 'ECONNREFUSED',
    noProxy: [],
  });
});

test('[L8] no address of the network, no name and no datagram gets out', async () => {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const heard: string[] = [];
  socket.on('message', (message) => heard.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const desk = await echo();
  const script = `
    seen.public = await tcp('192.0.2.1', 443);
    seen.private = await tcp('10.1.2.3', 80);
    seen.metadata = await tcp('169.254.169.254', 80);
    seen.six = await tcp('2001:db8::1', 443);
    seen.name = await lookup('example.org').then(() => 'found', () => 'not found');
    seen.here = await udp('127.0.0.1', ${socket.address().port});
    seen.there = await udp('192.0.2.1', 53);`;
  const seen = await runScript(script, [`127.0.0.1:${desk}`]);
  const unreachable = expect.stringMatching(/^E(NETUNREACH|ADDRNOTAVAIL|HOSTUNREACH|AFNOSUPPORT)$/) as string;
  expect(seen).toMatchObject({
    public: unreachable,
    private: unreachable,
    metadata: unreachable,
    six: unreachable,
    name: 'not found',
    there: unreachable,
  });
  // An earlier packet would have arrived before this one.
  socket.send('our own', socket.address().port, '127.0.0.1');
  await once(socket, 'message');
  expect(heard).toEqual(['our own']);
});

test('[L8] hosts elsewhere are reached by a proxy, which leads to those that were named', async () => {
  const other = await echo();
  const connectTo = (host: string): string => `CONNECT ${host} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n`;
  const script = `
    seen.proxy = [process.env.HTTPS_PROXY, process.env.https_proxy, process.env.NO_PROXY];
    seen.named = await proxied('${connectTo('api.vendor.invalid:443')}');
    seen.otherPort = await proxied('${connectTo('api.vendor.invalid:22')}');
    seen.stranger = await proxied('${connectTo('example.org:443')}');
    seen.own = await proxied('${connectTo(`127.0.0.1:${other}`)}');
    seen.plain = await proxied('GET http://127.0.0.1:${other}/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');`;
  expect(await runScript(script, ['api.vendor.invalid:443'])).toEqual({
    proxy: ['http://127.0.0.1:3128', 'http://127.0.0.1:3128', '127.0.0.1,localhost,::1'],
    // There is no such host; but it was looked for.
    named: 'HTTP/1.1 502 Bad Gateway',
    otherPort: 'HTTP/1.1 403 Forbidden',
    stranger: 'HTTP/1.1 403 Forbidden',
    own: 'HTTP/1.1 403 Forbidden',
    plain: 'HTTP/1.1 403 Forbidden',
  });
});

const WAITING = `
  process.on('SIGTERM', () => { console.log('signalled'); process.exit(3); });
  console.log('up'); setInterval(() => undefined, 1000);`;

test('[Q5] the client itself is signalled to end, and the way out goes with it', async () => {
  const { client, lines, gate } = await start(WAITING, [`127.0.0.1:${await echo()}`]);
  expect(existsSync(join(tmpdir(), gate))).toBe(true);
  while (!lines.includes('up')) await delay(10);
  client.stop('wall');
  expect(await client.ended).toMatchObject({ exitCode: 3, stopped: 'wall' });
  expect(lines).toEqual(['up', 'signalled']);
  expect(gate).toMatch(/^troupe-gate-/);
  expect(existsSync(join(tmpdir(), gate))).toBe(false);
});

test.each(['the client', 'what stands before it'])('[Q5] nothing is left when %s is killed', async (which) => {
  const words = randomUUID();
  const { client, lines } = await start(WAITING, [`127.0.0.1:${await echo()}`], words);
  while (!lines.includes('up')) await delay(10);
  // The one before has the plan among its words.
  const isBefore = (line: string): boolean => line.includes('"ways"');
  const pid = programsWith(words).find(({ line }) => isBefore(line) === (which !== 'the client'))?.pid;
  process.kill(pid ?? 0, 'SIGKILL');
  expect(await client.ended).toMatchObject({ exitCode: 137, stopped: null });
  expect(programsWith(words)).toEqual([]);
});

test('[Q5] nothing is left when the engine is killed', async () => {
  const words = randomUUID();
  const file = join(folder, 'work', 'waiting.mjs');
  writeFileSync(file, WAITING);
  const here = (path: string): string => JSON.stringify(join(import.meta.dirname, path));
  const scratch = mkdtempSync(join(folder, 's-'));
  const driver = `
    const { ClientProcess } = await import(${here('../process/client-process.ts')});
    const { findSandbox } = await import(${here('../../../sandbox/find-sandbox.ts')});
    const { chooseSandbox } = await import(${here('../../../sandbox/find-sandbox.ts')});
    const sandbox = chooseSandbox(await findSandbox({ scratch: ${JSON.stringify(scratch)} }), 'bubblewrap');
    const work = ${JSON.stringify(join(folder, 'work'))};
    await ClientProcess.start(
      { sandbox, argv: [process.execPath, ${JSON.stringify(file)}, '${words}'], reach: ['127.0.0.1:9999'],
        box: { cwd: work, env: {}, folders: [{ path: work, access: 'write' }], hidden: [], network: false } },
      { limits: { idleMs: 1e8, wallMs: 1e8 }, signal: new AbortController().signal, onLine: ({ text }) => console.log(text) },
    );`;
  const env = { ...process.env, TMPDIR: scratch };
  const engine = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', driver], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(engine.stdout, 'data');
  const clients = programsWith(words).filter(({ pid }) => pid !== engine.pid);
  expect(clients.length).toBeGreaterThanOrEqual(2);
  engine.kill('SIGKILL');
  while (programsWith(words).length > 0) await delay(10);
});

interface Program {
  readonly pid: number;
  readonly line: string;
}

/** Node alone: what builds the box has the same words. */
function programsWith(words: string): readonly Program[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), line: commandLine(name) }))
    .filter(({ line }) => line.startsWith(process.execPath) && line.includes(words));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
