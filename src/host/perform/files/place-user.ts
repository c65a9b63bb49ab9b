import type { Snapshot } from '../../../core/fold/snapshot.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { RunId } from '../../../core/model/ids.ts';
import type { Noted } from '../../../core/record/files-fact.ts';
import type { Journal } from '../../../journal/port.ts';
import type { KnownSecrets } from '../../../secrets/known-secrets.ts';
import type { Workspaces } from '../../../workspace/port.ts';

/** The part of the world that workspaces need. */
export interface PlaceWorld {
  readonly journal: Journal;
  readonly workspaces: Workspaces;
  readonly secrets?: KnownSecrets;
  readonly worker?: string;
}

/** The part of a context that working in a workspace needs. */
export interface PlaceUser {
  readonly world: PlaceWorld;
  readonly run: RunId;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  readonly places: {
    beginning(run: RunId): Promise<RunBeginning>;
    /** Reads what other processes have recorded. */
    learn(root: RunId): Promise<void>;
  };
  note(fact: Noted): void;
  noteNow(fact: Noted): Promise<void>;
  reserve(workspace: string): Promise<boolean>;
  unreserve(workspace: string): Promise<void>;
}

/** The facts about a run from its start. */
export type RunBeginning = Pick<Snapshot, 'run' | 'files' | 'workspace' | 'parent' | 'workflow' | 'definition'>;
