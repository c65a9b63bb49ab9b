import type { ComputeRun } from '../../../core/model/effect.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { Performance } from '../../../host/world.ts';

/** What is long and the same in many orders. */
const LONG = ['ledger', 'pack'] as const;

/**
 * An order with what it names put in its place: a ledger or a pack may be given by the name that it has among the run's data, so
 * that it does not stand in the journal once more with every order.
 */
export function withKept({ snapshot }: Performance, effect: ComputeRun): ComputeRun {
  const { input } = effect;
  if (!isJsonObject(input)) return effect;
  const found = LONG.flatMap((key): readonly (readonly [string, Json])[] => {
    const name = input[key];
    const value = typeof name === 'string' && Object.hasOwn(snapshot.data, name) ? snapshot.data[name] : undefined;
    return value === undefined ? [] : [[key, key === 'pack' ? withoutWords(value) : value]];
  });
  return found.length === 0 ? effect : { ...effect, input: { ...input, ...Object.fromEntries(found) } };
}

/** Whoever names the pack has its words as well, and says them: they are the longest part. */
function withoutWords(pack: Json): Json {
  if (!isJsonObject(pack)) return pack;
  const { text: _said, ...rest } = pack;
  return rest;
}
