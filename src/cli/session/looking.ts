import type { Looking } from '../../app/views/looking.ts';
import { withStore } from '../../app/world/store.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Opens the journal for as long as the work takes. */
export async function withLooking<Result>(
  { terminal, version }: { readonly terminal: Terminal; readonly version: string },
  work: (looking: Looking) => Promise<Result>,
): Promise<Result> {
  return await withStore(terminal, (store) => work({ caller: terminal, store, version }));
}
