import { isIP } from 'node:net';

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
export function isAddress(host: string): boolean {
  return host.startsWith('[') || isIP(host) !== 0;
}
