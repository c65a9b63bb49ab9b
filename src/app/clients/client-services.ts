import { GRACE_MS, type ClientLimits } from '../../actors/client-port.ts';
import type { DeskOffice } from '../../host/desk/port.ts';
import { Breakers } from '../../host/perform/breakers.ts';
import type { ClientServices } from '../../host/port.ts';
import type { ActorSettings } from '../config/actor-settings.ts';
import type { Store } from '../world/store.ts';
import { breakerFile } from './breaker-file.ts';
import { ClientHomes } from './client-home.ts';
import { LineKeeper } from './kept-lines.ts';

export interface ClientServiceOptions {
  readonly store: Store;
  readonly actors: ActorSettings;
  readonly version: string;
  readonly now: () => number;
}

export interface OpenClientServices extends ClientServices {
  readonly close: () => Promise<void>;
}

/** What agents need that are programs of their own. Nothing is opened before the first of them is called. */
export function createClientServices({ store, actors, version, now }: ClientServiceOptions): OpenClientServices {
  const homes = new ClientHomes(store.home, store.journal);
  const lines = new LineKeeper(store.home);
  let office: Promise<DeskOffice> | null = null;
  return {
    desks: () => (office ??= openOffice(version)),
    homeOf: (client) => homes.of(client),
    limitsOf: (kind) => limitsOf(kind, actors),
    breakers: new Breakers(now, breakerFile(store.home)),
    keepLine: (said) => lines.keep(said),
    close: async () => {
      await office?.then(
        (open) => open.close(),
        () => undefined,
      );
      await lines.close();
    },
  };
}

async function openOffice(version: string): Promise<DeskOffice> {
  const { openDeskOffice } = await import('../../host/desk/desk-office.ts');
  return await openDeskOffice({ version });
}

const MINUTE = 60_000;
const DEFAULT_LIMITS = { idleMs: 10 * MINUTE, wallMs: 60 * MINUTE, graceMs: GRACE_MS } satisfies ClientLimits;

function limitsOf(kind: string, { acp = {}, ...clients }: ActorSettings): ClientLimits {
  const known = kind === 'claude-code' || kind === 'codex' ? clients[kind] : acp[kind.replace(/^acp:/, '')];
  const { idleMs, wallMs, graceMs } = { ...DEFAULT_LIMITS, ...known };
  return { idleMs, wallMs, graceMs };
}
