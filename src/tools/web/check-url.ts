import type { FaultCode } from '../../core/codes/codes.ts';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { WebService } from '../port.ts';

/** A place that may be asked: its canonical address, and the machines it was found to be. Only these are connected to. */
export interface CheckedUrl {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/**
 * Decides once whether an address may be fetched. Everything afterwards uses what was decided: the canonical URL, and the
 * machine addresses that were looked at, so that a name cannot mean something else a moment later.
 */
export async function checkUrl(text: string, web: WebService): Promise<CheckedUrl> {
  const url = canonicalUrl(text);
  const standing = hostStanding(url, web.allow);
  if (standing === 'not-listed') throw notAllowed(url, web.allow);
  const addresses = await addressesOf(url.hostname, web);
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (inside !== undefined && standing !== 'exact') throw notPublic(url, inside);
  return { url, addresses };
}

const MAX_LENGTH = 4000;

/** The URL as a browser reads it; refuses a misleading spelling. */
export function canonicalUrl(text: string): URL {
  const url = parsedUrl(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WebRefused('SCHEME_NOT_ALLOWED', `${url.protocol} is not fetched; only http and https are.`);
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    throw invalid('it has a user name or password in it');
  }
  if (isAddress(url.hostname) && !isWrittenPlainly(text, url)) {
    throw new WebRefused('HOST_SPELLING', `The host is a different spelling of ${url.hostname}; write it that way.`);
  }
  url.hash = '';
  return url;
}

function parsedUrl(text: string): URL {
  if (text.length > MAX_LENGTH) throw invalid(`it is longer than ${MAX_LENGTH} characters`);
  // Parsers drop some of these and keep others, so two of them could see two addresses.
  if (/[\p{Cc}\p{Cf}\p{Z}\p{Cs}\\]/u.test(text)) throw invalid('it has blanks, control characters or backslashes');
  const url = URL.parse(text);
  if (url === null) throw invalid('it is not an absolute URL such as https://example.org/page');
  return url;
}

function isWrittenPlainly(text: string, url: URL): boolean {
  const start = `${url.protocol}//${url.hostname}`;
  return text.toLowerCase().startsWith(start) && /^(?:$|[:/?#])/.test(text.slice(start.length));
}

async function addressesOf(host: string, web: WebService): Promise<readonly string[]> {
  if (isAddress(host)) return [host.replaceAll(/^\[|\]$/g, '')];
  let cause: unknown;
  const found = await (web.resolve ?? systemResolve)(host).catch((error: unknown) => {
    cause = error;
    return [];
  });
  if (found.length === 0 || found.some((address) => isIP(address) === 0)) {
    throw new Error(`The name ${host} could not be resolved.`, { cause });
  }
  return found;
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function invalid(because: string): WebRefused {
  return new WebRefused('URL_INVALID', `The URL is not fetched: ${because}.`);
}

function notAllowed(url: URL, allow: readonly string[]): WebRefused {
  if (isListedElsewhere(url, allow)) {
    return new WebRefused(
      'HOST_NOT_ALLOWED',
      `${url.hostname} is allowed, but not its port ${portOf(url)}. The user can add ${url.hostname}:${portOf(url)} to web.allow in the configuration; an entry without a port allows 80 and 443.`,
    );
  }
  const some = allow.slice(0, 20).join(', ');
  const list =
    allow.length === 0 ? 'No host is' : `${some}${allow.length > 20 ? ', …' : ''} ${allow.length === 1 ? 'is' : 'are'}`;
  return new WebRefused(
    'HOST_NOT_ALLOWED',
    `${url.host} may not be fetched. ${list} allowed; the user can add hosts to web.allow in the configuration.`,
  );
}

/** Listed, but with other ports than the one that was asked for. */
function isListedElsewhere(url: URL, allow: readonly string[]): boolean {
  return allow.some((entry) => {
    const [name = '', port] = entry
      .trim()
      .toLowerCase()
      .split(/:(?=\d+$)/);
    const other = new URL(url.href);
    other.port = port ?? '80';
    return hostStanding(other, [port === undefined ? name : `${name}:${port}`]) !== 'not-listed';
  });
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'http:' ? '80' : '443';
}

function notPublic(url: URL, address: string): WebRefused {
  return new WebRefused(
    'ADDRESS_NOT_PUBLIC',
    `${url.hostname} leads to ${address}, which is not in the public internet. Only an entry with its port, such as ${url.hostname}:${portOf(url)}, in web.allow of the configuration permits that.`,
  );
}

/**
 * How a canonical address of the web stands to the list of allowed hosts. `exact`: the host is listed with this port, which
 * also permits an address in a private network. `listed`: it is listed, for public addresses only.
 */
export function hostStanding(url: URL, allow: readonly string[]): 'exact' | 'listed' | 'not-listed' {
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port;
  const standings = new Set(allow.map((entry) => standingIn(entry.trim().toLowerCase(), url.hostname, port)));
  if (standings.has('exact')) return 'exact';
  return standings.has('listed') ? 'listed' : 'not-listed';
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function standingIn(entry: string, host: string, port: string | undefined): 'exact' | 'listed' | 'not-listed' {
  const { name, port: listedPort } = partsOf(entry);
  if (name.startsWith('*.')) {
    // A wildcard never stands for an address written in numbers.
    const fits = !isAddress(host) && host.endsWith(name.slice(1)) && host.length > name.length - 1;
    return fits && portFits(listedPort, port) ? 'listed' : 'not-listed';
  }
  if (name !== host || !portFits(listedPort, port)) return 'not-listed';
  return listedPort === null ? 'listed' : 'exact';
}

function partsOf(entry: string): { readonly name: string; readonly port: string | null } {
  const found = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry);
  return found === null ? { name: entry, port: null } : { name: found[1] ?? '', port: found[2] ?? '' };
}

/** Without a port an entry stands for the two that web sites have. */
function portFits(listed: string | null, port: string | undefined): boolean {
  return listed === null ? port === '80' || port === '443' : listed === port;
}

/** Is the host of a canonical URL an address rather than a name? */
function isAddress(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}

/** Does an address lie in the public internet: not this machine, not its network, not a cloud's own services? */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL.check(address, 'ipv4');
  return family === 6 && GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

/** The only part of IPv6 that is given out to the public; all embedded, mapped and local forms lie outside it or in SPECIAL. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

/** From the registries of special-purpose addresses, and where clouds answer questions about the machine. */
const SPECIAL = new BlockList();
for (const line of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15',
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20',
]) {
  for (const [net = '', prefix] of line.split(' ').map((block) => block.split('/'))) {
    SPECIAL.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
  }
}

/** The engine will not ask for this; `code` is for programs, the message for the agent. */
export class WebRefused extends Error {
  override readonly name = 'WebRefused';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
