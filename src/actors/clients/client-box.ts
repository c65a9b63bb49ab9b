import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Box, LentFolder, Sandbox } from '../../sandbox/port.ts';
import { commandEnvironment, lent, programFolder, programFolders } from '../../tools/command-environment.ts';
import type { ClientOrder } from '../port.ts';
import { withHomeFolder } from './client-home.ts';

/** Which variables of the user's environment are a client's own: its keys, its addresses, its settings. */
export interface OwnVariables {
  readonly prefixes: readonly string[];
  /** Matching variables that belong elsewhere: to a session around ours, to the user's own folders. */
  readonly except: readonly RegExp[];
}

/**
 * The whole environment of a client, by allow-list: the variables of every command, those of the workspace, and of the user's only
 * this client's. Home and temporary folder are the client's own, for the run.
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

const temporaryFolder = ({ home }: Pick<ClientOrder, 'home'>): string => join(home, 'tmp');

export function ownVariables(environment: NodeJS.ProcessEnv, own: OwnVariables): Readonly<Record<string, string>> {
  const isOwn = (name: string): boolean =>
    own.prefixes.some((prefix) => name.startsWith(prefix)) && !own.except.some((pattern) => pattern.test(name));
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isOwn(entry[0]),
  );
  return Object.fromEntries(entries);
}

export interface BoxWish {
  readonly order: ClientOrder;
  /** The client's program, without links. */
  readonly program: string;
  /** Files of the program that must be readable, where there are more than the program itself. */
  readonly installation?: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Readable for this turn only. */
  readonly own?: string;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden: readonly string[];
}

/**
 * The box of a client's turn. It limits changes to files, whatever the client assumes about its rights: writes in a role that
 * may only run commands are discarded, or refused where they cannot be discarded.
 */
export async function clientBox(sandbox: Sandbox, wish: BoxWish): Promise<Box> {
  const { order, program, env, hidden } = wish;
  await mkdir(order.home, { recursive: true, mode: 0o700 });
  await withHomeFolder(order.home, [basename(temporaryFolder(order))], () => Promise.resolve());
  return {
    cwd: order.place.folder,
    env,
    folders: [
      ...programFolders(commandEnvironment(env), hidden),
      ...programFolder(program, hidden),
      ...lent(wish.installation == null ? [] : [wish.installation], hidden),
      ...order.place.folders,
      { path: order.home, access: 'write' },
      ...(wish.own === undefined ? [] : [{ path: wish.own, access: 'read' } as const]),
      { path: order.place.folder, access: accessOf(order, sandbox) },
    ],
    hidden,
    network: order.network || !canNarrow(sandbox),
  };
}

/** Whether a client's box can have no network but the way to its own endpoint. */
const canNarrow = ({ level }: Sandbox): boolean => level === 'bubblewrap';

function accessOf({ mode }: ClientOrder, sandbox: Sandbox): LentFolder['access'] {
  if (mode === 'write') return 'write';
  return mode === 'commands' && sandbox.hasOverlay ? 'throwaway' : 'read';
}
