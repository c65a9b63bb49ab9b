import { Fault } from '../../core/model/fault.ts';
import { connectDatabase, openSharedStore } from '../../workspace/travel/open-shared-store.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';
import { postgresIdentity } from '../../workspace/travel/postgres-store.ts';
import type { Caller } from '../caller.ts';
import { storeAddress } from '../config/config.ts';
import { openProject } from '../config/project.ts';

/** The store through which files travel between machines that share a journal. Opened when it is first used. */
export function sharedFiles(caller: Caller, journal: string): SharedStore {
  return onceOpened(async () => {
    const address = storeAddress((await openProject(caller)).config, journal);
    if (address === null) throw new Fault('INTERNAL', 'A journal that machines share has a store for files.');
    if (address === journal) return await openSharedStore(address);
    const database = await connectDatabase(journal);
    try {
      return await openSharedStore(address, { identity: postgresIdentity(database) });
    } finally {
      await database.end();
    }
  });
}

function onceOpened(open: () => Promise<SharedStore>): SharedStore {
  let opening: Promise<SharedStore> | undefined;
  const store = (): Promise<SharedStore> => {
    const opened = (opening ??= open());
    // One that failed is tried again.
    opened.catch(() => (opening = undefined));
    return opened;
  };
  return {
    missing: async (names) => await (await store()).missing(names),
    put: async (bodies) => await (await store()).put(bodies),
    async *get(names) {
      yield* (await store()).get(names);
    },
    close: async () => {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
