import { DESK_NAME } from '../desk-name.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientOrder } from '../../client-port.ts';
import { turnFolder } from '../beside-home.ts';

/** What a turn is told by way of files, because arguments can be read by everybody and are short. */
export interface TurnFiles {
  /** Where they are: nobody else's, not even another turn's of the same agent. */
  readonly folder: string;
  readonly system: string | null;
  readonly servers: string | null;
  /** The client has read its servers: their token should not lie about when its model begins. */
  forgetServers(): Promise<void>;
  remove(): Promise<void>;
}

export async function writeTurnFiles(order: ClientOrder, system: string): Promise<TurnFiles> {
  await mkdir(dirname(order.home), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(turnFolder(order.home));
  const put = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const servers = order.desk === null ? null : await put('servers.json', serversText(order.desk));
  return {
    folder,
    system: system === '' ? null : await put('role.md', system),
    servers,
    forgetServers: async () => {
      if (servers !== null) await rm(servers, { force: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Loaded from the beginning: the client would else hide the tools until its model looks for them. */
function serversText({ url, headers }: NonNullable<ClientOrder['desk']>): string {
  return JSON.stringify({ mcpServers: { [DESK_NAME]: { type: 'http', url, headers, alwaysLoad: true } } });
}
