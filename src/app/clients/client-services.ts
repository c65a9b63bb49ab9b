import { type ClientLimits, GRACE_MS } from '../../actors/port.ts';
import type { DeskOffice } from '../../host/desk/port.ts';
import { type BreakerKeep, Breakers } from '../../host/perform/turn/breakers.ts';
import type { ClientServices } from '../../host/world.ts';
import type { ActorSettings } from '../config/actor-settings.ts';
import type { Store } from '../world/store.ts';
import { ClientHomes } from './client-home.ts';
import { LineKeeper } from './kept-lines.ts';
import { sharedConversations } from './shared-conversations.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '../../core/model/json.ts';
import { replaceFileNow } from '../../lib/replace-file.ts';
import { orElse } from '../../lib/or-else.ts';

type Times = Readonly<Record<string, number>>;

/** Until when no provider can be called, for the next process. Others write here too: only what this one knows is changed. */
export function breakerFile(home: string): BreakerKeep {
  const file = join(home, 'breakers.json');
  let own: Times = {};
  return {
    load: () => (own = read(file)),
    save(until) {
      const closed = new Set(Object.keys(own).filter((provider) => !Object.hasOwn(until, provider)));
      const others = Object.entries(read(file)).filter(([provider]) => !closed.has(provider));
      own = until;
      const times = { ...Object.fromEntries(others), ...until };
      // Without the file, one more call is refused.
      orElse(() => replaceFileNow(file, `${JSON.stringify(times)}\n`), undefined);
    },
  };
}

/** An unreadable file counts as empty: the provider reports a used-up quota again. */
function read(file: string): Times {
  const found = parseObject(orElse(() => readFileSync(file, 'utf8'), '')) ?? {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

export interface ClientServiceOptions {
  readonly store: Store;
  readonly actors: ActorSettings;
  readonly version: string;
  readonly now: () => number;
  /** Where conversations are stored that other machines may go on in. */
  readonly shared?: SharedStore | undefined;
}

export interface OpenClientServices extends ClientServices {
  readonly close: () => Promise<void>;
}

/** Services for agents that are separate programs, opened with the first call of one. */
export function createClientServices({
  store,
  actors,
  version,
  now,
  shared,
}: ClientServiceOptions): OpenClientServices {
  const homes = new ClientHomes(store.home, store.journal);
  const lines = new LineKeeper(store.home);
  let office: Promise<DeskOffice> | null = null;
  return {
    desks: () => (office ??= openOffice(version)),
    homeOf: (client) => homes.of(client),
    limitsOf: (kind) => limitsOf(kind, actors),
    breakers: new Breakers(now, breakerFile(store.home)),
    keepLine: (said) => lines.keep(said),
    ...(shared === undefined ? {} : { conversations: sharedConversations(shared) }),
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
