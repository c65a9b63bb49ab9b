import { writeSync } from 'node:fs';

import { openPostgresJournal } from '../../../journal/postgres/postgres-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { untilStopped } from '../../testing/until-stopped.ts';
import { driveRun } from '../drive-run.ts';
import { openWorkQueue } from '../work-queue.ts';

/**
 * A worker: `worker-process.ts ADDRESS MODE`. Its agents answer at once; `stuck`: never; `failing`: the first attempt to drive a
 * run throws. It says `ready`, then `called` with each call of an agent and `drove RUN` when it is done with a run. SIGTERM drains it.
 */
const [address = '', mode = ''] = process.argv.slice(2);
const say = (text: string): void => void writeSync(1, `${text}\n`);
const journal = await openPostgresJournal({ address });
const queue = await openWorkQueue({ address });
let attempts = 0;

const world = testWorld({
  journal,
  owner: `worker ${process.pid}`,
  answer(request, signal) {
    say('called');
    return mode === 'stuck' ? untilStopped().answer(request, signal) : says('done');
  },
});

const worker = await queue.work({
  slots: 2,
  journal,
  async drive(run, signal) {
    attempts += 1;
    if (mode === 'failing' && attempts === 1) throw new Error('This machine does not have the project.');
    await driveRun(createEmbeddedHost(world), run, signal);
    say(`drove ${run}`);
  },
});

process.once('SIGTERM', () => {
  void worker
    .drain()
    .then(() => queue.close())
    .then(() => journal.close())
    .then(() => process.exit(0));
});
say('ready');
