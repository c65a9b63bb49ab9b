import { existsSync, watch, writeSync } from 'node:fs';
import { once } from 'node:events';
import { dirname } from 'node:path';

import { isFault } from '../../../core/model/fault.ts';
import { rootRunId } from '../../../core/model/ids.ts';
import { openPostgresJournal } from '../../../journal/postgres/postgres-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { scheduledRunId } from '../../new-run-id.ts';
import { systemClock } from '../../system-clock.ts';
import { untilStopped } from '../../testing/until-stopped.ts';
import type { Host } from '../../port.ts';
import { driveRun } from '../drive-run.ts';
import { TreeSessions } from '../tree-sessions.ts';
import { openWorkQueue } from '../work-queue.ts';
import type { WorkerManner } from './start-worker.ts';

/**
 * A worker: `worker-process.ts ADDRESS MANNER`. It says `ready`, then `took RUN` and `drove RUN` around each run that it drives and
 * `called RUN` with each call of an agent. Of scheduled runs it says `begins RUN`, `began RUN` where it did not exist, and `ended RUN`.
 * SIGTERM drains it.
 */
const [address = '', given = '{}'] = process.argv.slice(2);
const { mode = 'quick', slots = 2, offers = [], aheadMs = 0, gate } = JSON.parse(given) as WorkerManner;
const now = Date.now;
// Of the whole process, the queue included.
Date.now = () => now() + aheadMs;
const say = (text: string): void => void writeSync(1, `${text}\n`);
const journal = await openPostgresJournal({ address });
const queue = await openWorkQueue({ address });
let drives = 0;
let begins = 0;

async function untilOpen(path: string): Promise<void> {
  const watcher = watch(dirname(path));
  while (!existsSync(path)) await once(watcher, 'change');
  watcher.close();
}

/** All runs of a tree share a host, as in a real worker. */
const trees = new TreeSessions<Host>(async (_root, work) => {
  const host = createEmbeddedHost(world());
  try {
    await work(host);
  } finally {
    await host.shutdown();
  }
});

const world = () => ({
  ...testWorld({
    journal,
    clock: systemClock,
    owner: `worker ${process.pid}.${drives}`,
    async answer(request, signal) {
      say(`called ${request.run}`);
      if (mode === 'stuck') return await untilStopped().answer(request, signal);
      if (gate !== undefined) await untilOpen(gate);
      return says('done');
    },
  }),
  placement: queue.placement(journal),
});

const worker = await queue.work({
  slots,
  offers,
  journal,
  async drive(run, terms) {
    drives += 1;
    if (mode === 'failing' && drives === 1) throw new Error('This machine does not have the project.');
    say(`took ${run}`);
    await trees.use(rootRunId(run), (host) => driveRun(host, run, terms));
    say(`drove ${run}`);
  },
  async begin({ name, at, project }) {
    const run = scheduledRunId({ name, at });
    say(`begins ${run}`);
    begins += 1;
    if (mode === 'failing' && begins === 1) throw new Error('This machine does not have the project.');
    if (mode === 'stuck') await new Promise<never>(() => undefined);
    const host = createEmbeddedHost(world());
    const terms = { schedule: { name, at } };
    try {
      await host.start({ definition: build({ states: [end('stop')] }), input: {}, project, run, terms });
      say(`began ${run}`);
    } catch (error) {
      if (!isFault(error) || error.code !== 'RUN_EXISTS') throw error;
    } finally {
      await host.shutdown();
      say(`ended ${run}`);
    }
  },
});

const stopped = once(process, 'SIGTERM');
say('ready');
await Promise.race([stopped, worker.drainAsked]);
await worker.drain();
await queue.close();
await journal.close();
process.exit(0);
