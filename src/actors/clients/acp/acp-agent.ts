import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../core/json.ts';
import type { Role } from '../../../core/role.ts';
import type { SandboxLevel } from '../../../sandbox/port.ts';
import type { ClientOrder, ClientTraits } from '../../client-port.ts';
import { clientEnvironment, ownVariables, type OwnVariables } from '../client-environment.ts';
import type { LoginFile } from '../login-file.ts';
import { namedAddresses, reachOf, type Reach } from '../network/reach.ts';

/** What must be known of an agent that speaks ACP besides that it does: where it is, what is its own, where it differs. */
export interface AcpAgent {
  /** It is the actor `acp:<name>`. */
  readonly name: string;
  readonly title: string;
  /** The first word is a name on the path or a whole path. */
  readonly command: readonly string[];
  /** How it is got. */
  readonly install: string;
  /** What it is asked for its version with. */
  readonly versionWords?: readonly string[];
  readonly traits: Omit<ClientTraits, 'choosesSession'>;
  /** Variables of the user's environment that it may have. */
  readonly own: OwnVariables;
  /** Those of them that are a login by themselves. */
  readonly loginVariables: readonly string[];
  readonly loginFiles: readonly AgentFile[];
  readonly loginHint: string;
  /** By what in its home it is told what to do: removed before each turn, since only an agent can have left it there. */
  readonly settings?: readonly { readonly way: readonly string[]; readonly names: readonly string[] }[];
  /** The variable that names its endpoint, and the endpoint it has without. */
  readonly endpoint: { readonly variable: string; readonly host: string };
  /** Where it gets to in a box without network, unless its variables name an address. */
  readonly hosts: Reach;
  /** Variables that it gets in any case. */
  readonly fixed: (order: ClientOrder) => Readonly<Record<string, string>>;
  /** Further fields of the request that opens a conversation. */
  readonly sessionFields?: (role: Role, order: ClientOrder) => JsonObject;
  /** The first of its session modes that it has, to be set before it begins. */
  readonly modes?: (order: ClientOrder, level: SandboxLevel) => readonly string[];
  /** How it is told which login to use, where it has to be told. */
  readonly loginMethods?: readonly LoginMethod[];
  /** Last words that are an error, from an agent that ends as if all were well. */
  readonly errorWords?: RegExp;
  /** It stays when its input ends, and has to be told. */
  readonly staysAtEnd?: boolean;
  /** It only tells what the last of its model calls used. */
  readonly tellsLastCallOnly?: boolean;
}

export interface AgentFile {
  /** Below the home folder. */
  readonly path: string;
  /** Where the folder of it is named, and what of the path is then left. */
  readonly movedBy?: { readonly variable: string; readonly path: string };
}

export interface LoginMethod {
  readonly id: string;
  /** Used where this variable is set, or this file of the home folder exists. */
  readonly variable?: string;
  readonly file?: string;
}

/** An agent that nobody has told us more about than how it is started. */
export function plainAgent({ name, command, variables = [], provider = name }: PlainAgent): AcpAgent {
  return {
    name,
    title: `Agent ${name}`,
    command,
    install: `Install ${command[0] ?? name}, or say in the settings where it is.`,
    traits: { provider, canResume: true, canFork: false },
    own: { prefixes: variables, except: [] },
    loginVariables: variables,
    loginFiles: [],
    loginHint: 'Set the key that it needs, and name the variable in the settings.',
    endpoint: { variable: '', host: `the model of ${name}` },
    hosts: [],
    fixed: () => ({}),
  };
}

export interface PlainAgent {
  readonly name: string;
  readonly command: readonly string[];
  /** Variables of the user's environment that it may have; a name, or how names begin. */
  readonly variables?: readonly string[];
  readonly provider?: string;
}

export const acpTraits = ({ traits }: AcpAgent): ClientTraits => ({ ...traits, choosesSession: false });

export function agentEnvironment(
  agent: AcpAgent,
  environment: NodeJS.ProcessEnv,
  order: ClientOrder,
): Readonly<Record<string, string>> {
  return { ...clientEnvironment(environment, order, agent.own), ...agent.fixed(order) };
}

/** Where the user's logins are, and where they have to be for the agent. */
export function agentLogins(agent: AcpAgent, environment: NodeJS.ProcessEnv, home: string): readonly LoginFile[] {
  return agent.loginFiles.map((file) => ({ user: userFile(file, environment), copy: join(home, file.path), home }));
}

export function userFile({ path, movedBy }: AgentFile, environment: NodeJS.ProcessEnv): string {
  const folder = movedBy === undefined ? undefined : environment[movedBy.variable];
  if (folder !== undefined && folder !== '' && movedBy !== undefined) return join(folder, movedBy.path);
  return join(environment['HOME'] ?? homedir(), path);
}

export function agentSecrets({ own, loginVariables }: AcpAgent, environment: NodeJS.ProcessEnv): readonly string[] {
  const isNamed = (name: string): boolean => loginVariables.includes(name) || /KEY|TOKEN|SECRET/.test(name);
  // What is shorter than this is no secret, and taking it out would garble every message.
  const isSecret = (name: string, value: string): boolean => isNamed(name) && value.length >= 4;
  return Object.entries(ownVariables(environment, own)).flatMap(([name, value]) =>
    isSecret(name, value) ? [value] : [],
  );
}

export function agentReach(agent: AcpAgent, environment: NodeJS.ProcessEnv, wish: AgentReachWish): Reach {
  const addresses = namedAddresses(ownVariables(environment, agent.own));
  const hosts = addresses.length === 0 ? agent.hosts : [];
  return reachOf(wish.order, { addresses, hosts: [...hosts, ...(wish.hosts ?? [])] });
}

export interface AgentReachWish {
  readonly order: ClientOrder;
  /** What the settings add. */
  readonly hosts: Reach | undefined;
}

/** For sentences. */
export function agentHost({ endpoint }: AcpAgent, environment: NodeJS.ProcessEnv): string {
  return URL.parse(environment[endpoint.variable] ?? '')?.host ?? endpoint.host;
}
