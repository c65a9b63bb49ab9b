import type { JsonObject } from '../../../core/model/json.ts';
import type { Role } from '../../../core/model/role.ts';
import type { SandboxLevel } from '../../../sandbox/port.ts';
import type { ClientOrder, ClientTraits } from '../../port.ts';
import { clientEnvironment } from '../client-box.ts';
import type { ClientVendor } from '../client-vendor.ts';

/** How one ACP agent is found and where it differs from the protocol. */
export interface AcpAgent extends ClientVendor {
  /** It is the actor `acp:<name>`. */
  readonly name: string;
  /** The first word is a name on the path or a whole path. */
  readonly command: readonly string[];
  /** How it is got. */
  readonly install: string;
  /** Arguments that print its version. */
  readonly versionArgs?: readonly string[];
  readonly traits: Omit<ClientTraits, 'choosesSession'>;
  /** Settings files in its home: removed before each turn, since only an agent can have left them there. */
  readonly settings?: readonly { readonly way: readonly string[]; readonly names: readonly string[] }[];
  /** Variables that it gets in any case. */
  readonly fixed: (order: ClientOrder) => Readonly<Record<string, string>>;
  /** Further fields of the request that opens a conversation. */
  readonly sessionFields?: (role: Role, order: ClientOrder) => JsonObject;
  /** The first of its session modes that it has, to be set before it begins. */
  readonly modes?: (order: ClientOrder, level: SandboxLevel) => readonly string[];
  /** The logins to offer it, where it has to be given one. */
  readonly loginMethods?: readonly LoginMethod[];
  /** Last words that are an error, from an agent that ends as if all were well. */
  readonly errorWords?: RegExp;
  /** It keeps running when its input ends, so it needs a signal. */
  readonly staysAtEnd?: boolean;
  /** It reports the usage of its last model call only. */
  readonly reportsLastCallOnly?: boolean;
}

export interface LoginMethod {
  readonly id: string;
  /** Used where this variable is set, or this file of the home folder exists. */
  readonly variable?: string;
  readonly file?: string;
}

/** An agent known only by its command. */
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
