import { dirname, join } from 'node:path';
import { commandEnvironment } from '../../tools/command-environment.ts';
import type { ClientOrder } from '../client-port.ts';

/** Which variables of the user's environment are a client's own: its keys, its addresses, its settings. */
export interface OwnVariables {
  readonly prefixes: readonly string[];
  /** Those of such a name that tell of somebody else: of a session around ours, of the user's own folders. */
  readonly except: readonly RegExp[];
}

/**
 * The whole environment of a client, by allow-list: what every command gets, what belongs to the workspace, and of the user's
 * own variables only those that are this client's. Home and temporary folder are the client's own, for the run.
 */
export function clientEnvironment(
  environment: NodeJS.ProcessEnv,
  order: Pick<ClientOrder, 'place' | 'home'>,
  own: OwnVariables,
): Readonly<Record<string, string>> {
  return {
    ...commandEnvironment(environment),
    ...order.place.environment,
    ...ownVariables(environment, own),
    GIT_CEILING_DIRECTORIES: dirname(order.place.folder),
    HOME: order.home,
    TMPDIR: temporaryFolder(order),
  };
}

export const temporaryFolder = ({ home }: Pick<ClientOrder, 'home'>): string => join(home, 'tmp');

export function ownVariables(environment: NodeJS.ProcessEnv, own: OwnVariables): Readonly<Record<string, string>> {
  const isOwn = (name: string): boolean =>
    own.prefixes.some((prefix) => name.startsWith(prefix)) && !own.except.some((pattern) => pattern.test(name));
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isOwn(entry[0]),
  );
  return Object.fromEntries(entries);
}
