import type { Snapshot } from '../../core/snapshot.ts';
import type { RunTerms } from '../../core/run-terms.ts';
import type { World } from '../port.ts';

/** The world as a run wants it: with its sandbox and its setup, whatever this process would do for itself. */
export async function worldFor(world: World, terms: RunTerms, level: string | null = null): Promise<World> {
  const sandbox = level ?? terms.sandbox ?? null;
  const under = await world.under?.({ sandbox, setup: terms.setup !== false });
  return under === undefined ? world : { ...under, journal: world.journal };
}

export const worldOf = (world: World, { terms, sandbox }: Snapshot): Promise<World> => worldFor(world, terms, sandbox);
