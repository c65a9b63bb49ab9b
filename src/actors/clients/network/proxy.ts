import { createServer, type IncomingMessage, request as ask, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostStanding } from '../../../tools/web/check-url.ts';
import { joinStreams } from './join-streams.ts';
import type { Reach } from './reach.ts';

/** A web proxy to some hosts only. It does not read the traffic. */
export function createProxy(reach: Reach): Server {
  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing, reach));
  server.on('connect', (incoming: IncomingMessage, caller: Duplex, head: Buffer) => {
    lead({ authority: incoming.url ?? '', caller, head }, reach);
  });
  // A caller that speaks something else is cut off, and that is all.
  server.on('clientError', (_error, caller) => caller.destroy());
  return server;
}

interface Asked {
  readonly authority: string;
  readonly caller: Duplex;
  readonly head: Buffer;
}

function lead({ authority, caller, head }: Asked, reach: Reach): void {
  caller.on('error', () => caller.destroy());
  const url = /^[^/?#@\\\s]+:\d{1,5}$/.test(authority) ? URL.parse(`https://${authority}/`) : null;
  if (!isReached(url, reach)) return answer(caller, '403 Forbidden', refusalText(authority));
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const there = connect({ host, port: Number(url.port === '' ? 443 : url.port), allowHalfOpen: true, noDelay: true });
  const onFailure = (error: Error): void => answer(caller, '502 Bad Gateway', error.message);
  there.once('error', onFailure);
  there.once('connect', () => {
    there.off('error', onFailure);
    caller.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) there.write(head);
    joinStreams(caller, there);
  });
  caller.once('close', () => there.destroy());
}

function answer(caller: Duplex, status: string, text: string): void {
  const length = Buffer.byteLength(text);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  caller.end(`${head}${text}`);
}

const isReached = (url: URL | null, reach: Reach): url is URL =>
  url !== null && hostStanding(url, reach) !== 'not-listed';

const refusalText = (host: string): string =>
  `${host} cannot be reached from here: this agent reaches its own endpoint, and nothing else of the network.\n`;

/** Without TLS the whole request comes here. */
function passOn(incoming: IncomingMessage, outgoing: ServerResponse, reach: Reach): void {
  const url = URL.parse(incoming.url ?? '');
  if (url?.protocol !== 'http:' || !isReached(url, reach)) {
    outgoing.writeHead(403, { 'Content-Type': 'text/plain' }).end(refusalText(url?.host ?? 'That'));
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': _secret, ...headers } = incoming.headers;
  const passed = ask(url, { method: incoming.method ?? 'GET', headers: { ...headers, host: url.host } });
  passed.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
    response.on('error', () => outgoing.destroy());
  });
  passed.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502, { 'Content-Type': 'text/plain' }).end(error.message);
  });
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}
