import { isLoopbackAddress } from '../../model/model-config.ts';
import type { ClientOrder } from '../../port.ts';

/**
 * Where a client gets to from a box without network: hosts in the spelling of `web.allow`, `name`, `*.name` or `name:port`.
 * Those of this machine have to be named with their port.
 */
export type Reach = readonly string[];

/** The desk of the turn, the client's own endpoint and what the settings add. */
export function reachOf({ desk }: Pick<ClientOrder, 'desk'>, wish: ReachWish): Reach {
  const addresses = [...(desk === null ? [] : [desk.url]), ...wish.addresses];
  return [...new Set([...addresses.flatMap(hostOf), ...wish.hosts].map((host) => host.toLowerCase()))];
}

export interface ReachWish {
  /** Addresses of the web, of which the host and the port count. */
  readonly addresses: readonly string[];
  readonly hosts: Reach;
}

function hostOf(address: string): Reach {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return [];
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port;
  return [`${url.hostname}:${port}`];
}

const DEFAULT_PORTS = { 'http:': 80, 'https:': 443 };

/** The addresses among a client's own variables: where the user wants it to go instead of to its vendor. */
export function namedAddresses(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(variables).filter(([name]) => /(?:BASE_URL|API_BASE|API_URL|ENDPOINT)$/.test(name));
  return named.map(([, value]) => value ?? '').filter((value) => hostOf(value).length > 0);
}

/** A place on this machine. */
export interface OwnPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Null for what is elsewhere. */
export function ownPort(host: string): OwnPort | null {
  const url = /:\d+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (url === null || !isLoopbackAddress(url.href)) return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port === '' ? 80 : url.port) };
}
