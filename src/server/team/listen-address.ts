import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Fault } from '../../core/model/fault.ts';
import type { TokenStore } from '../../app/tokens/token-store.ts';

export interface ListenWish {
  /** As in `0.0.0.0:8443` or `[::]:8443`. */
  readonly address: string;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  /** Something in front speaks TLS. */
  readonly isBehindTls: boolean;
  /** By which names people reach it. */
  readonly publicNames: readonly string[];
}

/** Where and how a team's server listens. */
export interface TeamAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** By which names it is reached, with the port it took. */
  hosts(port: number): ReadonlySet<string>;
}

/** Everything that must be right before a server can be reached from other machines. */
export async function teamAddress(wish: ListenWish, store: TokenStore): Promise<TeamAddress> {
  const { host, port } = parseAddress(wish.address);
  if ((await store.list()).length === 0) throw tokenMissing();
  const tls = tlsOf(wish);
  const names = [...wish.publicNames.map(checkedName), ...(ANYWHERE.has(host) ? [] : [urlHost(host)])];
  if (names.length === 0) throw nameMissing(wish.address);
  return { host, port, tls, hosts: (taken) => hostsOf(names, { port: taken, isDirect: tls !== undefined }) };
}

const ANYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const [, six, four, digits = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(address) ?? [];
  const host = six ?? four;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535 && (six === undefined || isIP(six) === 6)) return { host, port };
  throw new Fault('USAGE', `--listen takes an address with a port; it is "${address}".`, {
    hint: 'As in: --listen 0.0.0.0:8443, or [::]:8443',
  });
}

function tlsOf({ tlsCert, tlsKey, isBehindTls }: ListenWish): TeamAddress['tls'] {
  const isOwn = tlsCert !== undefined || tlsKey !== undefined;
  if (isOwn && isBehindTls)
    throw new Fault('USAGE', '--behind-tls and --tls-cert exclude each other.', {
      hint: 'Say --behind-tls where a proxy speaks TLS, else give --tls-cert and --tls-key.',
    });
  if (isBehindTls) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw tlsMissing();
  return readTls(tlsCert, tlsKey);
}

/** TLS_UNUSABLE. */
function readTls(certFile: string, keyFile: string): NonNullable<TeamAddress['tls']> {
  try {
    const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault('TLS_UNUSABLE', `${certFile} and ${keyFile} cannot be used for TLS: ${why}`, {
      hint: 'Both are PEM files that belong together, readable by this user: --tls-cert FILE --tls-key FILE',
      cause: error,
    });
  }
}

function checkedName(name: string): string {
  if (/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(name)) return name.toLowerCase();
  throw new Fault('USAGE', `--public-name takes a host name, with a port where it is not 443; it is "${name}".`, {
    hint: 'As in: --public-name troupe.example.com',
  });
}

const urlHost = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());

/** A browser leaves 443 out. Without a port a name is that of a proxy's port 443, or of the port that TLS is spoken on here. */
function hostsOf(
  names: readonly string[],
  { port, isDirect }: { readonly port: number; readonly isDirect: boolean },
): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      if (/:\d+$/.test(name)) return name.endsWith(':443') ? [name.slice(0, -4), name] : [name];
      if (isDirect) return port === 443 ? [name, `${name}:443`] : [`${name}:${port}`];
      return [name, `${name}:443`];
    }),
  );
}

const tokenMissing = (): Fault =>
  new Fault('LISTEN_WITHOUT_TOKEN', 'No one could use this server: it has no tokens yet.', {
    hint: 'Make one first: troupe token new NAME --role admin',
  });

const tlsMissing = (): Fault =>
  new Fault('LISTEN_WITHOUT_TLS', 'Tokens and files would cross the network as plain text.', {
    hint: 'Give --tls-cert FILE --tls-key FILE, or say that a proxy in front speaks TLS: --behind-tls',
  });

const nameMissing = (address: string): Fault =>
  new Fault('LISTEN_WITHOUT_NAME', `${address} is every address of this machine: the server must know its name.`, {
    hint: 'Say how people reach it, as in: --public-name troupe.example.com',
  });
