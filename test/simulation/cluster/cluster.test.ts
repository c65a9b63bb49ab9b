import { expect, test } from 'vitest';
import type { Definition } from '../../../src/core/model/definition.ts';
import type { CallReply, CallRequest } from '../../../src/actors/port.ts';
import { keep } from '../../../src/host/testing/full-disk.ts';
import { sharingLimit } from '../../../src/host/testing/sharing-limit.ts';
import { says } from '../../../src/host/testing/test-world.ts';
import { seeded } from '../seeded.ts';
import { PLANTED_FAULTS, type PlantedFault } from './connection.ts';
import { meeting, nested, spread } from './definitions.ts';
import { judge, outcomeOf, type Expected } from './judge.ts';
import { Cluster, ROOT, type ClusterResult } from './simulate-cluster.ts';

/** How often that has to happen in all worlds together. */
interface Least {
  readonly naps?: number;
  readonly resumes?: number;
}

const SEEDS = Number(process.env['TROUPE_CLUSTER_SEEDS'] ?? 60);
const FIRST = Number(process.env['TROUPE_FIRST_SEED'] ?? 1);

/** On a busy machine. */
const MOST_MS_OF_A_SEED = 2000;

/** Each planted fault is found within so many worlds. */
const SEEDS_TO_FIND = 2000;

interface World {
  readonly definition: Definition;
  readonly seed: number;
  readonly mostTroubles?: number;
  readonly fault?: PlantedFault;
  readonly hasFullDisks?: boolean;
  readonly raiseBy?: number;
}

/** Each run below the root keeps something on the disk of the process that drives it. */
const answer = ({ run, call }: CallRequest): CallReply => (run !== ROOT && call === 1 ? keep(run) : says('done'));

const simulated = ({ definition, seed, mostTroubles = 4, ...more }: World): Promise<ClusterResult> =>
  new Cluster({
    definition,
    answer: more.hasFullDisks === true ? answer : () => says('done'),
    random: seeded(seed),
    hosts: 2 + (seed % 2),
    mostTroubles,
    ...more,
  }).run();

const undisturbed = async (world: Omit<World, 'seed'>): Promise<Expected> =>
  await outcomeOf(await simulated({ ...world, seed: 0, mostTroubles: 0 }));

test.for([
  ['runs in separate workspaces', { definition: spread() }, {}],
  ['pools of pools that give their slots away and sleep on no host', { definition: nested() }, { naps: SEEDS }],
  [
    'trees that pause while a disk of one process is full',
    { definition: spread(), hasFullDisks: true, mostTroubles: 6 },
    { resumes: SEEDS / 6 },
  ],
  ['runs that change one workspace in turn', { definition: meeting() }, {}],
  [
    'units that share a limit, which a person raises again and again',
    { definition: sharingLimit({ tokens: 90 }), raiseBy: 60 },
    { resumes: SEEDS },
  ],
] as const)(
  '[U8] [L5] [L6] [L9] %s on two and three processes come to the same, whatever is slow, lost, frozen or killed',
  { timeout: SEEDS * MOST_MS_OF_A_SEED },
  async ([, world, least]: readonly [string, Omit<World, 'seed'>, Least]) => {
    const { definition } = world;
    const expected = await undisturbed(world);
    const troubles = { crashes: 0, freezes: 0, naps: 0, resumes: 0 };
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const result = await simulated({ ...world, seed });
      expect({ seed, problems: await judge(result, definition, expected) }).toEqual({ seed, problems: [] });
      troubles.crashes += result.crashes;
      troubles.freezes += result.freezes;
      troubles.naps += result.naps;
      troubles.resumes += result.resumes;
    }
    expect(troubles.crashes).toBeGreaterThan(SEEDS / 2);
    expect(troubles.freezes).toBeGreaterThan(SEEDS / 2);
    expect(troubles.naps).toBeGreaterThanOrEqual(least.naps ?? 0);
    expect(troubles.resumes).toBeGreaterThanOrEqual(least.resumes ?? 0);
  },
);

test.for([
  // The process that is asked to go on had lost the run to another, which had just taken the pause.
  [885, { definition: spread(), hasFullDisks: true, mostTroubles: 6 }],
  // What a person added to a limit was spent before all children had a part of it.
  [231, { definition: sharingLimit({ tokens: 90 }), raiseBy: 60 }],
] as const)('[U8] [L3] world %i, where runs once waited for ever, comes to its end', async ([seed, world]) => {
  const expected = await undisturbed(world);
  expect(await judge(await simulated({ ...world, seed }), world.definition, expected)).toEqual([]);
});

test.for(PLANTED_FAULTS)('[U8] the simulation finds a protocol with %s', { timeout: 240_000 }, async (fault) => {
  const definition = fault === 'a reservation without taking leases' ? meeting() : spread();
  const expected = await undisturbed({ definition });
  const found = { seed: 0, problems: [] as readonly string[] };
  for (let seed = 1; seed <= SEEDS_TO_FIND && found.problems.length === 0; seed += 1) {
    found.seed = seed;
    found.problems = await judge(await simulated({ definition, seed, fault }), definition, expected);
  }
  expect(found.problems).not.toEqual([]);
});
