import { interleave, type Contestant, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Part, Table } from '../harness/part.ts';
import { FILES, type Place } from '../jobs/slots-place.ts';

interface Shares {
  readonly p50: number;
  readonly p95: number;
}

interface HandOver {
  readonly toStart: Shares;
  readonly toFirstLine: Shares;
  readonly alone: Shares;
  readonly cpuMs: number;
}

/** `network`: in the run's workspace, by a role that may use the network, so that no gate stands before the client. */
type Setting = Place | 'network';

interface Units {
  readonly wallMs: number;
  readonly idealMs: number;
  readonly ratio: number;
  readonly cpuMs: number;
}

interface Idle {
  readonly oneMb: number;
  readonly manyMb: number;
  readonly eachKb: number;
}

/** Steps of a quest that share a few slots. */
export const slots: Part = {
  name: 'slots',
  title: 'Slots: child runs of a pool, SQLite journal, FULL',
  async run(bench) {
    const handOvers = await measure<Setting, HandOver>(bench, 'slots-handover', {
      names: ['folder', 'network', 'shared', 'own'],
      units: bench.quick ? 9 : 81,
    });
    const team = { units: bench.quick ? 16 : 100, slots: 8, agentMs: 100 };
    const units = await measure<Place, Units>(bench, 'slots-units', { names: ['folder', 'shared', 'own'], ...team });
    const idle = await idleSessions(bench);
    return {
      tables: [handOverTable(handOvers), unitsTable(units, team), idleTable(idle)],
      goals: [
        {
          what: 'slots: from the end of an agent’s process to the start of the next one, p95',
          atMost: 50,
          found: handOvers.median('shared', ({ toStart }) => toStart.p95),
          unit: 'ms',
        },
        {
          what: `slots: ${team.units} units on ${team.slots} slots with an agent of ${team.agentMs} ms, wall ÷ ideal`,
          atMost: 1.2,
          found: units.median('folder', ({ ratio }) => ratio),
          unit: '×',
        },
        {
          what: 'slots: the same with a workspace for each unit, p50',
          atMost: 45,
          found: handOvers.median('own', ({ toStart }) => toStart.p50),
          unit: 'ms',
        },
        {
          what: `slots: ${team.units} units with a workspace each on ${team.slots} slots, wall ÷ ideal`,
          atMost: 1.4,
          found: units.median('own', ({ ratio }) => ratio),
          unit: '×',
        },
      ],
    };
  },
};

const PLACES: Readonly<Record<Setting, string>> = {
  folder: 'one folder of which nothing is kept',
  network: `the run’s workspace, ${FILES} files, with the network`,
  shared: `the run’s workspace, ${FILES} files`,
  own: `a workspace made for each unit, ${FILES} files`,
};

interface Job<Name extends Setting> {
  readonly names: readonly Name[];
  readonly units: number;
}

async function measure<Name extends Setting, T extends object>(
  bench: Bench,
  job: string,
  { names, ...settings }: Job<Name>,
): Promise<Results<Name, T>> {
  const contestants = names.map((name): Contestant<Name, T> => {
    const chosen = name === 'network' ? { place: 'shared', network: true } : { place: name };
    return { name, run: () => runJob<T>(`jobs/${job}.ts`, { ...settings, ...chosen, folder: bench.folder(job) }) };
  });
  return await interleave(bench.repetitions, contestants, (text) => bench.say(`${job}, ${text}`));
}

async function idleSessions(bench: Bench): Promise<Results<'50', Idle>> {
  const run = () => runJob<Idle>('jobs/slots-idle.ts', { folder: bench.folder('slots-idle'), sessions: 50, slots: 8 });
  return await interleave(bench.repetitions, [{ name: '50', run }], (text) => bench.say(`slots-idle, ${text}`));
}

function handOverTable(results: Results<Setting, HandOver>): Table {
  const read = (place: Setting, what: 'toStart' | 'toFirstLine' | 'alone') =>
    (['p50', 'p95'] as const).map((share) => results.median(place, (figures) => figures[what][share]));
  return {
    title: 'From the end of an agent’s process to the next one, one slot, ms',
    columns: [
      'agents work in',
      'to the start of the next, p50',
      'p95',
      'to its first line, in the sandbox, p50',
      'p95',
      'the same sandbox and program alone, p50',
      'p95',
      'CPU ms of the host, a step',
    ],
    rows: results.names.map((place) => [
      PLACES[place],
      ...read(place, 'toStart'),
      ...read(place, 'toFirstLine'),
      ...read(place, 'alone'),
      results.median(place, ({ cpuMs }) => cpuMs),
    ]),
  };
}

function unitsTable(results: Results<Place, Units>, team: { units: number; slots: number; agentMs: number }): Table {
  return {
    title: `${team.units} units on ${team.slots} slots, a scripted agent of ${team.agentMs} ms in the process`,
    columns: ['agents work in', 'wall ms', 'ideal ms', 'wall ÷ ideal', 'CPU ms of the host'],
    rows: results.names.map((place) => [
      place === 'folder' ? 'no files' : `${PLACES[place]}; each writes one`,
      results.median(place, ({ wallMs }) => wallMs),
      results.median(place, ({ idealMs }) => idealMs),
      results.median(place, ({ ratio }) => ratio),
      results.median(place, ({ cpuMs }) => cpuMs),
    ]),
  };
}

function idleTable(results: Results<'50', Idle>): Table {
  return {
    title: 'Memory of the host while agents’ conversations rest, each waiting for a person',
    columns: ['conversations', 'RSS MB with one', 'RSS MB', 'KB a conversation'],
    rows: results.names.map((name) => [
      name,
      results.median(name, ({ oneMb }) => oneMb),
      results.median(name, ({ manyMb }) => manyMb),
      results.median(name, ({ eachKb }) => eachKb),
    ]),
  };
}
