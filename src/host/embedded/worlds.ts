import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { RunTerms } from '../../core/model/run-terms.ts';
import type { World } from '../world.ts';
import { toolsOfRun } from './run-tools.ts';

/** The world as a run needs it: with its sandbox and its setup, whatever this process uses itself. */
export async function worldFor(world: World, terms: RunTerms, level: string | null = null): Promise<World> {
  const sandbox = level ?? terms.sandbox ?? null;
  const under = await world.under?.({ sandbox, setup: terms.setup !== false });
  return under === undefined ? world : { ...under, journal: world.journal };
}

/** The same with the tools that the run began with. */
export async function worldOf(world: World, { terms, sandbox, tools }: Snapshot): Promise<World> {
  const own = await worldFor(world, terms, sandbox);
  return { ...own, tools: await toolsOfRun(own, tools) };
}
