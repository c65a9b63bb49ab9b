import { TeamDoor } from '../../server/team/team-door.ts';
import { type ListenWish, teamAddress } from '../../server/team/listen-address.ts';
import { tokenFiles } from '../../app/tokens/token-files.ts';
import { printNote } from '../terminal/terminal.ts';
import { type OpenPageOptions, type PageServer, servePage } from './page-server.ts';

export interface TeamServer extends Pick<PageServer, 'url' | 'close'> {
  /** Where it listens. */
  readonly address: string;
}

/** The page for a team: on an address that other machines reach, for named tokens only, over TLS. */
export async function startTeamServer(options: OpenPageOptions, wish: ListenWish): Promise<TeamServer> {
  const store = tokenFiles(options.store.home);
  const address = await teamAddress(wish, store);
  const { host, port, tls } = address;
  const doors: TeamDoor[] = [];
  const {
    origin,
    port: taken,
    close,
  } = await servePage(options, {
    listen: { host, port, tls },
    door: (taken) => {
      const hosts = address.hosts(taken);
      const note = (text: string): void => printNote(options.terminal, text);
      const door = new TeamDoor({ store, hosts, port: taken, isProxied: wish.isBehindTls, note });
      doors.push(door);
      return door;
    },
    origin: (taken) => `https://${[...address.hosts(taken)][0] ?? ''}`,
  });
  return {
    url: `${origin}/`,
    address: `${host}:${taken}`,
    close: async () => {
      for (const door of doors) door.close();
      await close();
    },
  };
}
