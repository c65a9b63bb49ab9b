import type { ProjectChanged } from '../../core/record/files-fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** What computing and delivering a result needs. */
export interface DeliveryContext {
  readonly world: Pick<World, 'journal' | 'workspaces' | 'shell' | 'sandbox' | 'home'>;
  /** The sandbox that the run itself had last; null where it never had one. */
  readonly runSandbox: string | null;
  /** Who asked for it, for the journal. */
  readonly by: string;
  /** Resolves when the journal holds it. */
  readonly note: (run: RunId, fact: ProjectChanged) => Promise<void>;
}
