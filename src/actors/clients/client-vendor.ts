import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientOrder } from '../port.ts';
import { type OwnVariables, ownVariables } from './client-box.ts';
import type { ClientName } from './client-failure.ts';
import type { LoginFile } from './client-login.ts';
import type { ClientOptions } from './client-turn.ts';
import { namedAddresses, type Reach, reachOf } from './network/reach.ts';

/** Variables, logins and endpoint of a client's vendor. */
export interface ClientVendor {
  /** As people call the client. */
  readonly title: string;
  /** Variables of the user's environment that it may have. */
  readonly own: OwnVariables;
  /** The variables that are a login by themselves, in order of precedence. */
  readonly loginVariables: readonly string[];
  readonly loginFiles: readonly AgentFile[];
  readonly loginHint: string;
  /** The variable that names its endpoint, and the endpoint it has without. */
  readonly endpoint: { readonly variable: string; readonly host: string };
  /** Hosts that it may reach in a box without network, unless its variables name an address. */
  readonly hosts: Reach;
}

export interface AgentFile {
  /** Below the home folder. */
  readonly path: string;
  /** The variable that names its folder, and the rest of the path in that case. */
  readonly movedBy?: { readonly variable: string; readonly path: string };
}

/** The places of the user's logins, and of the agent's copies. */
export function agentLogins(agent: ClientVendor, environment: NodeJS.ProcessEnv, home: string): readonly LoginFile[] {
  return agent.loginFiles.map((file) => ({ user: userFile(file, environment), copy: join(home, file.path), home }));
}

/** The user's own files that hold logins. */
export const userLogins = ({ loginFiles }: ClientVendor, environment: NodeJS.ProcessEnv): readonly string[] =>
  loginFiles.map((file) => userFile(file, environment));

export function userFile({ path, movedBy }: AgentFile, environment: NodeJS.ProcessEnv): string {
  const folder = movedBy === undefined ? undefined : environment[movedBy.variable];
  if (folder !== undefined && folder !== '' && movedBy !== undefined) return join(folder, movedBy.path);
  return join(environment['HOME'] ?? homedir(), path);
}

/** The first variable that is a login by itself; undefined where none is set. */
export const loginVariable = ({ loginVariables }: ClientVendor, environment: NodeJS.ProcessEnv): string | undefined =>
  loginVariables.find((name) => (environment[name] ?? '') !== '');

export function agentSecrets({ own, loginVariables }: ClientVendor, environment: NodeJS.ProcessEnv): readonly string[] {
  const isNamed = (name: string): boolean => loginVariables.includes(name) || /KEY|TOKEN|SECRET/.test(name);
  // Shorter values are no secrets, and removing them would garble every message.
  const isSecret = (name: string, value: string): boolean => isNamed(name) && value.length >= 4;
  return Object.entries(ownVariables(environment, own)).flatMap(([name, value]) =>
    isSecret(name, value) ? [value] : [],
  );
}

export function agentReach(agent: ClientVendor, environment: NodeJS.ProcessEnv, wish: AgentReachWish): Reach {
  const addresses = namedAddresses(ownVariables(environment, agent.own));
  const hosts = addresses.length === 0 ? agent.hosts : [];
  return reachOf(wish.order, { addresses, hosts: [...hosts, ...(wish.hosts ?? [])] });
}

export interface AgentReachWish {
  readonly order: ClientOrder;
  /** Further hosts from the settings. */
  readonly hosts: Reach | undefined;
}

/** For sentences. */
export function agentHost({ endpoint }: ClientVendor, environment: NodeJS.ProcessEnv): string {
  return URL.parse(environment[endpoint.variable] ?? '')?.host ?? endpoint.host;
}

export const clientName = (vendor: ClientVendor, { environment, model }: ClientOptions): ClientName => ({
  title: vendor.title,
  host: agentHost(vendor, environment),
  model: model ?? 'of its own choice',
  loginHint: vendor.loginHint,
  secrets: agentSecrets(vendor, environment),
});
