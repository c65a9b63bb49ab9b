import { mkdir } from 'node:fs/promises';
import type { Box, LentFolder, Sandbox } from '../../sandbox/port.ts';
import { commandEnvironment, programFolder, programFolders } from '../../tools/command-environment.ts';
import type { ClientOrder } from '../client-port.ts';
import { temporaryFolder } from './client-environment.ts';

export interface BoxWish {
  readonly order: ClientOrder;
  /** The client's program, without links. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden: readonly string[];
}

/**
 * The box of a client's turn. What it may do to the files is seen to here, whatever the client itself thinks of its rights:
 * what it writes where it may only run commands is thrown away, or refused where nothing can be thrown away.
 */
export async function clientBox(sandbox: Sandbox, { order, program, env, hidden }: BoxWish): Promise<Box> {
  await mkdir(temporaryFolder(order), { recursive: true, mode: 0o700 });
  return {
    cwd: order.place.folder,
    env,
    folders: [
      ...programFolders(commandEnvironment(env), hidden),
      ...programFolder(program, hidden),
      ...order.place.folders,
      { path: order.home, access: 'write' },
      { path: order.place.folder, access: accessOf(order, sandbox) },
    ],
    hidden,
    network: true,
  };
}

function accessOf({ mode }: ClientOrder, sandbox: Sandbox): LentFolder['access'] {
  if (mode === 'write') return 'write';
  return mode === 'commands' && sandbox.hasOverlay ? 'throwaway' : 'read';
}
