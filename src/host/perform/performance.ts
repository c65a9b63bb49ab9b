import type { Isolate } from '../../actors/script/port.ts';
import type { Definition } from '../../core/role.ts';
import type { RunId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { World } from '../port.ts';

/** What an effect is carried out with. */
export interface Performance {
  readonly world: World;
  readonly isolate: () => Promise<Isolate>;
  readonly run: RunId;
  readonly definition: Definition;
  /** Where the run stood when the effect was ordered. */
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** The effect was announced by a process that died before it was answered: it may have happened. */
  readonly isRepeat: boolean;
  readonly onText: (delta: string) => void;
}

/** The run at the top of the tree; its folder is where all agents of the tree work. */
export function rootOf(run: RunId): RunId {
  const cut = run.indexOf('/');
  return cut < 0 ? run : (run.slice(0, cut) as RunId);
}
