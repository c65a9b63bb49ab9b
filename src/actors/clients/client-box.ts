import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Box, LentFolder, Sandbox } from '../../sandbox/port.ts';
import { commandEnvironment, lent, programFolder, programFolders } from '../../tools/command-environment.ts';
import type { ClientOrder } from '../client-port.ts';
import { temporaryFolder } from './client-environment.ts';
import { withHomeFolder } from './home-folder.ts';

export interface BoxWish {
  readonly order: ClientOrder;
  /** The client's program, without links. */
  readonly program: string;
  /** What belongs to the program and has to be read with it, where that is more than the file itself. */
  readonly installation?: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** What is this turn's alone, to be read. */
  readonly own?: string;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden: readonly string[];
}

/**
 * The box of a client's turn. What it may do to the files is seen to here, whatever the client itself thinks of its rights:
 * what it writes where it may only run commands is thrown away, or refused where nothing can be thrown away.
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
