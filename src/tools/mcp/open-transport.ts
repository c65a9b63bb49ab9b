import type { Transport } from '@modelcontextprotocol/client';
import type { McpService } from '../port.ts';
import type { McpEndpoint } from './endpoint.ts';
import { type OutputLimit, ProcessTransport } from './process-transport.ts';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { LentFolder, WrappedStart } from '../../sandbox/port.ts';
import { commandEnvironment, lent, programFolders } from '../command-environment.ts';

/** The transport of a client: the server's process in the sandbox, or its address. Nothing is started or sent yet. */
export async function openTransport(
  placed: PlacedEndpoint,
  service: McpService | undefined,
  limit: OutputLimit,
): Promise<Transport> {
  const { endpoint, setting } = placed;
  const { command, url } = endpoint;
  if (command !== undefined && command.length > 0) {
    if (service === undefined) throw new Error('MCP servers cannot be started here: there is no sandbox for them.');
    return new ProcessTransport(await serverStart(placed, service), limit);
  }
  const address = URL.parse(url ?? '');
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new Error(`${setting} in the configuration needs a command, or an http or https url.`);
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { ...endpoint.headers, ...keyHeader(endpoint, setting, service) } },
    fetch: boundedFetch(limit.maxBytes, limit.onTooMuch),
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 100,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
}

function keyHeader(
  { apiKeyEnv }: McpEndpoint,
  setting: string,
  service: McpService | undefined,
): Readonly<Record<string, string>> {
  if (apiKeyEnv === undefined) return {};
  const key = service?.environment[apiKeyEnv];
  if (key === undefined || key === '') {
    throw new Error(`${setting}.api_key_env in the configuration names ${apiKeyEnv}, which the user has not set.`);
  }
  return { authorization: `Bearer ${key}` };
}

/** An endpoint with its place in the configuration, for messages. */
export interface PlacedEndpoint {
  readonly endpoint: McpEndpoint;
  /** Such as `mcp.docs`. */
  readonly setting: string;
}

/** Values that no message may show. For `Bearer key` also the key alone. */
export function endpointSecrets(endpoint: McpEndpoint, service: McpService | undefined): readonly string[] {
  const { env = [], headers = {}, url = '', apiKeyEnv } = endpoint;
  const names = apiKeyEnv === undefined ? env : [...env, apiKeyEnv];
  const given = [...Object.values(headers), ...names.map((name) => service?.environment[name] ?? '')];
  const inAddress = [...(URL.parse(url)?.searchParams.values() ?? [])].filter(({ length }) => length >= KEY_LENGTH);
  return [...given, ...given.map((value) => value.trim().split(/\s+/).at(-1) ?? ''), ...inAddress];
}

/** Shorter values in an address are settings. */
const KEY_LENGTH = 8;

/**
 * A `fetch` that reads no more than this of an answer, and follows no redirect: the headers that go with a request may hold
 * a key, and only the address in the configuration gets it.
 */
function boundedFetch(
  maxBytes: number,
  onTooMuch: () => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= maxBytes) return controller.enqueue(chunk);
        onTooMuch();
        controller.terminate();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}

/**
 * How to start a server in the sandbox: with the network, its own folder that is removed with it, its files readable, and only the
 * environment variables that the settings name.
 */
async function serverStart({ endpoint, setting }: PlacedEndpoint, service: McpService): Promise<WrappedStart> {
  const { command = [], env: names = [] } = endpoint;
  const { hidden, environment } = service;
  const env = { ...commandEnvironment(environment), ...named(names, environment, setting) };
  const sandbox = await service.sandbox();
  const own = await mkdtemp(join(tmpdir(), 'mcp-'));
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true });
  try {
    const wrapped = await sandbox.wrap(command, {
      cwd: own,
      env: { ...env, HOME: own, TMPDIR: own },
      folders: [...programFolders(env, hidden), ...partsOf(command, hidden), { path: own, access: 'write' }],
      hidden,
      network: true,
    });
    const dispose = async () => {
      const discarded = await wrapped.dispose();
      await remove();
      return discarded;
    };
    return { ...wrapped, dispose };
  } catch (error) {
    await remove();
    throw error;
  }
}

function named(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  setting: string,
): Readonly<Record<string, string>> {
  const missing = names.filter((name) => environment[name] === undefined);
  if (missing.length > 0) {
    throw new Error(`${setting}.env in the configuration names ${missing.join(', ')}, which the user has not set.`);
  }
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}

/** Files that the command names: with the packages they are installed with, the package they are part of, else their folder. */
function partsOf(command: readonly string[], hidden: readonly string[]): readonly LentFolder[] {
  const paths = command.filter((word) => isAbsolute(word) && existsSync(word));
  // Installed programs are links into their package.
  return [...new Set(paths.flatMap((path) => [path, realpathSync(path)]))].flatMap((path) => {
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    return lent([...installedWith(path), ...packageAround(folder), folder, path], hidden);
  });
}

function installedWith(path: string): readonly string[] {
  const [before, ...below] = path.split('/node_modules/');
  return below.length === 0 ? [] : [`${before}/node_modules`];
}

function packageAround(folder: string): readonly string[] {
  for (let path = folder; dirname(path) !== path; path = dirname(path)) {
    if (existsSync(join(path, 'package.json')) || existsSync(join(path, 'pyproject.toml'))) return [path];
  }
  return [];
}
