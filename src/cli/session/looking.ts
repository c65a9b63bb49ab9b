import type { Looking } from '../../app/views/looking.ts';
import { withStore } from '../../app/world/store.ts';
import type { Invocation } from '../command-spec.ts';

/** Opens the journal for as long as somebody looks. */
export async function withLooking<Result>(
  { terminal, version }: Invocation,
  work: (looking: Looking) => Promise<Result>,
): Promise<Result> {
  return await withStore(terminal, (store) => work({ caller: terminal, store, version }));
}
