import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { tourActor, tourDefinition } from './page-tour.ts';
import { benchHost, expectSettled } from './world.ts';

/** A real run for the page to show: with a pace it tells its name as soon as it has begun, otherwise once it is over. */
const { home, states, rounds, paceMs } = settings() as Record<string, number> & { home: string };

const journal = await openSqliteJournal({ home });
const host = benchHost(journal, tourActor({ rounds: rounds ?? 1, wait: () => (paceMs === 0 ? ready : sleep(paceMs)) }));
const ready = Promise.resolve();
const run = await host.start({ definition: tourDefinition(states ?? 0), input: { task: 'Go.' }, project: home });
if (paceMs !== 0) report({ run });
expectSettled(await host.rest(run));
const { seq = 0 } = (await journal.run(run)) ?? {};
await host.shutdown();
await journal.close();
if (paceMs === 0) report({ run, records: seq });
