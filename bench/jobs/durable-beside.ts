import { join } from 'node:path';
import type { Actor } from '../../src/actors/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { loopModel } from '../workload.ts';
import { bareTransactions } from './bare-transactions.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/**
 * Troupe and the bare transactions by turns in one process, a few dozen of each at a time: a disk that others write to is
 * slow for seconds and quick for seconds, and this way it is the same disk for both.
 */
const { turns, folder, textBytes } = settings() as { turns: number; folder: string; textBytes: number };

const BLOCK = 25;
const bare = bareTransactions(join(folder, 'bare.db'), Math.round(textBytes / turns));
const model = loopModel(turns);
const quick = loopActor(model);
let bareMs = 0;

const actor: Actor = {
  kind: 'bench',
  call(request, options) {
    if (model.turns % BLOCK === BLOCK - 1) {
      const start = performance.now();
      bare.write(BLOCK);
      bareMs += performance.now() - start;
    }
    return quick.call(request, options);
  },
};

const host = benchHost(await openSqliteJournal({ home: join(folder, 'home') }), actor);
const start = performance.now();
const run = await host.start({ definition: teamDefinition(turns), input: { task: 'Write a parser.' }, project: '/' });
expectSettled(await host.rest(run));
const troupeMs = performance.now() - start - bareMs;
await host.shutdown();
bare.close();
report({ troupeUs: (troupeMs * 1000) / turns, bareUs: (bareMs * 1000) / turns, ratio: troupeMs / bareMs });
