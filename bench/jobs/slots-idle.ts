import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { StampingClient } from './slots-client.ts';
import { placed } from './slots-place.ts';
import { slotsDefinition } from './slots-team.ts';
import { benchHost } from './world.ts';

/** The memory of the host while so many agents' conversations rest, each waiting for a person. No client runs then. */
const { folder, sessions, slots } = settings() as { folder: string; sessions: number; slots: number };

const client = await StampingClient.create(folder);
const { project, workspaces } = placed(folder, 'shared');
const journal = await openSqliteJournal({ home: join(folder, 'journal') });
const host = benchHost(journal, client.actor, { workspaces, clients: client.services });

const oneMb = await resting(1);
const manyMb = await resting(sessions);
report({ oneMb, manyMb, eachKb: ((manyMb - oneMb) * 1024) / sessions });
await host.shutdown();
await workspaces.close();
await journal.close();

async function resting(units: number): Promise<number> {
  const definition = slotsDefinition({ units, slots, own: false, asks: true });
  const run = await host.start({ definition, input: {}, project });
  const { questions } = await host.rest(run);
  if (questions.length !== units) throw new Error(`${questions.length} questions instead of ${units}.`);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage.rss() / 1024 / 1024;
}
