import type { WorkflowPages } from '../app/library/workflow-pages.ts';
import type { Asking } from '../app/runs/session.ts';
import type { ListedWorker } from '../app/workers/run-worker.ts';
import type { ScheduleLine } from '../protocol/operations/answers/schedule.ts';
import type { Act } from '../protocol/operations/acts.ts';
import type { Shown, View } from '../protocol/operations/views.ts';
import type { FilePlace } from '../app/results/file-at.ts';
import type { JournalRecord } from '../core/record/fact.ts';
import type { Json } from '../core/model/json.ts';
import type { Definition } from '../core/model/definition.ts';
import type { Journal } from '../journal/port.ts';

/**
 * What the server needs of the world around it: the same operations as every other face, so that no two can disagree.
 */
export interface Operations extends WorkflowPages {
  readonly version: string;
  /** Where the engine keeps its own files. */
  readonly home: string;
  /** The project's folder the server was started in. */
  readonly project: string;
  readonly journal: Journal;
  /** Those that drive runs of a journal that machines share; null where this machine is alone. */
  readonly workers: (() => Promise<readonly ListedWorker[]>) | null;
  /** Runs that begin at set times: none where this machine is alone. */
  readonly schedules: {
    list(): Promise<readonly ScheduleLine[]>;
    /** SCHEDULE_UNKNOWN, JOURNAL_NOT_SHARED. */
    remove(name: string): Promise<void>;
  };
  /** The data of a view of a run. Rejects with its Fault. */
  look<Kind extends View['kind']>(
    view: Extract<View, { readonly kind: Kind }>,
    options?: LookOptions,
  ): Promise<Shown<Kind>>;
  /** Does something to runs. What drives one is its own process, so that the run outlives the server. */
  act(act: Act, who: Acting): Promise<Json>;
  /** The content of an artifact as it comes, from its own process: more than should ever lie in this one. */
  pour(view: View): AsyncIterable<Uint8Array>;
  /** The definition a run had at its newest record. */
  definition(records: readonly JournalRecord[]): Promise<Definition>;
  /** The content of a file in a tree of a run's workspace; null if it is no file. */
  file(run: string, place: FilePlace): Promise<Uint8Array | null>;
}

/** The caller of an act. */
export interface Acting extends Pick<Asking, 'by' | 'via' | 'role' | 'allowsApprovals'> {
  /** The folder from which files are named. */
  readonly folder: string;
}

export interface LookOptions {
  readonly signal?: AbortSignal;
}
