import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { WebService } from '../port.ts';
import { isAddress, hostStanding } from './allow-list.ts';
import { isPublicAddress } from './public-address.ts';
import { WebRefused } from './web-refused.ts';

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

/** What a browser would make of it, unless it was written to look like something else. */
export function canonicalUrl(text: string): URL {
  const url = parsedUrl(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WebRefused('SCHEME_NOT_ALLOWED', `${url.protocol} is not fetched; only http and https are.`);
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    throw invalid('it has a user name or password in it');
  }
  if (isAddress(url.hostname) && !isWrittenPlainly(text, url)) {
    throw new WebRefused('HOST_SPELLING', `The host is another spelling of ${url.hostname}; write it that way.`);
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
      `${url.hostname} is allowed, but not its port ${portOf(url)}. The user can add ${url.hostname}:${portOf(url)} to web.allow in the configuration; an entry without a port stands for 80 and 443.`,
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
