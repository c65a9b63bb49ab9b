import type { EffectContext } from '../../world.ts';
import { rootOf } from '../files/places.ts';

/** Does the work while holding these resources exclusively. */
export async function holding<T>(
  { world, run, signal }: EffectContext,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (names.length === 0 || world.holdResources === undefined) return await work();
  const release = await world.holdResources(names, rootOf(run), signal);
  try {
    return await work();
  } finally {
    await release();
  }
}
