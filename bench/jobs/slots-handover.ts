import { join } from 'node:path';
import { ClientProcess } from '../../src/actors/clients/process/client-process.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { percentile } from '../harness/statistics.ts';
import { StampingClient } from './slots-client.ts';
import { placed, type Place } from './slots-place.ts';
import { slotsDefinition } from './slots-team.ts';
import { benchHost, expectSettled } from './world.ts';

/**
 * One slot, one step after the other: from the last word of a step's client to the first of the next one's. The end of one
 * process and the start of the other are in it; what such a start takes by itself is measured in the same process.
 */
const { folder, units, place, network } = settings() as {
  folder: string;
  units: number;
  place: Place;
  network?: boolean;
};

const client = await StampingClient.create(folder);
const { project, workspaces } = placed(folder, place);
const journal = await openSqliteJournal({ home: join(folder, 'journal') });
const host = benchHost(journal, client.actor, { workspaces, clients: client.services });
const definition = slotsDefinition({ units, slots: 1, own: place === 'own', role: { network: network === true } });
const cpu = process.cpuUsage();
const run = await host.start({ definition, input: {}, project });
expectSettled(await host.rest(run));
const { user, system } = process.cpuUsage(cpu);
await host.shutdown();
await workspaces.close();
await journal.close();

const { stamps } = client;
const ends = stamps.slice(0, -1).map(({ ended }) => ended);
const toStart = ends.map((ended, at) => (stamps[at + 1]?.started ?? Number.NaN) - ended);
const toFirstLine = ends.map((ended, at) => (stamps[at + 1]?.began ?? Number.NaN) - ended);
if (ends.length !== units - 1) throw new Error(`${ends.length} hand-overs instead of ${units - 1}.`);
const alone: number[] = [];
for (let at = 0; at < units; at += 1) alone.push(await startAlone());
report({
  toStart: shares(toStart),
  toFirstLine: shares(toFirstLine),
  alone: shares(alone),
  cpuMs: (user + system) / 1000 / units,
  level: client.sandbox.level,
});

function shares(times: readonly number[]): { readonly p50: number; readonly p95: number } {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** The same program in a box like that of a turn, with nothing around it. */
async function startAlone(): Promise<number> {
  const before = performance.timeOrigin + performance.now();
  const box = {
    cwd: project,
    env: { PATH: '/usr/bin:/bin' },
    folders: [
      { path: project, access: 'write' as const },
      { path: client.program, access: 'read' as const },
    ],
    hidden: [],
    network: true,
  };
  const { ended } = await ClientProcess.start(
    { sandbox: client.sandbox, argv: [client.program], box },
    {
      limits: client.services.limitsOf('bench'),
      signal: new AbortController().signal,
      onLine: ({ text }) => client.hear(text),
    },
  );
  await ended;
  return (client.stamps.at(-1)?.began ?? Number.NaN) - before;
}
