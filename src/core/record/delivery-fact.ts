import type { TreeId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import type { Failure } from '../model/outcome.ts';
import type { DeliveryTarget } from '../model/run-terms.ts';

/** How a run's files are delivered to the user: an intent, then its result. */
export type DeliveryFact = DeliveryStarted | DeliveryFinished | DeliveryFailed;

/** A person's decision about a run that has ended. */
export type DecisionFact = ResultDiscarded | RunArchived;

/** Its result is not wanted. The snapshots stay, so that the decision can be undone. */
export interface ResultDiscarded {
  readonly kind: 'result.discarded';
  readonly by: string;
  /** The result is wanted after all. */
  readonly isUndone?: true;
  /** Its branch or patch was still there when the discard was undone. */
  readonly isKept?: true;
}

/** Lists and the board leave the run out. */
export interface RunArchived {
  readonly kind: 'run.archived';
  readonly by: string;
  /** They show it again. */
  readonly isUndone?: true;
}

/** Recorded with `run.settled`, or when a delivery is retried: from here on a part of it may have happened. */
export interface DeliveryStarted extends DeliveryChoices {
  readonly kind: 'delivery.started';
  readonly workspace: string;
  /** The tree that is delivered. */
  readonly tree: TreeId;
  readonly to: DeliveryTarget;
  readonly verify?: string;
  readonly copyTo?: string;
  readonly by: string;
  /** A person asked for this one with `troupe deliver`. A failure of it leaves the result as it was. */
  readonly isAsked?: true;
}

/** The user's choices for one delivery. */
export interface DeliveryChoices {
  readonly allow?: readonly Allowed[];
  /** Paths whose version in the project counts in a conflict; `.` for all. */
  readonly ours?: readonly string[];
  /** Paths whose version of the run counts. */
  readonly theirs?: readonly string[];
}

/** What the user must accept explicitly; refused or held back otherwise. */
export type Allowed = 'unverified' | 'conflicts' | 'steering';

/** The delivery came to its end, also where a person has to decide now. */
export interface DeliveryFinished {
  readonly kind: 'delivery.finished';
  readonly workspace: string;
  readonly tree: TreeId;
  /** `unchanged`: there was nothing to bring. `conflict`, `not-verified`: nothing of the user's was changed. */
  readonly how: 'branch' | 'patch' | 'applied' | 'unchanged' | 'conflict' | 'not-verified';
  /** The branch, or the file of the patch; where the merged files are that did not pass. */
  readonly where?: string;
  /** Paths in conflict with what the user has now; a branch or a patch holds the run's own result then. */
  readonly conflicts?: readonly string[];
  /** A side can be chosen for each of them. */
  readonly canChoose?: true;
  /** More than are named. */
  readonly hasMore?: true;
  /** Files that steer the user's programs and were held back from the project; more than are named where `hasMore`. */
  readonly held?: readonly string[];
  /** The command that the merged files had to pass, and its result. */
  readonly command?: string;
  readonly reason?: string;
  /** The check that the merged files went through, whether they passed or not. */
  readonly check?: DeliveryCheck;
  /** Why these files are not verified. The user accepted them by name, and later deliveries need that name again. */
  readonly unverified?: string;
  readonly by: string;
  /** The full report for people, in the form of `troupe deliver --json`; long lists are cut. */
  readonly report?: JsonObject;
}

/** The command of a check, and the sandbox that it ran under. */
export interface DeliveryCheck {
  readonly command: string;
  readonly sandbox: string;
  /** The sandbox of the run, where the person who delivered it chose a different one. */
  readonly from?: string;
}

/** It could not be carried out. `troupe resume` tries it again, unless a person asked for it with `troupe deliver`. */
export interface DeliveryFailed {
  readonly kind: 'delivery.failed';
  readonly workspace: string;
  readonly tree: TreeId;
  readonly failure: Failure;
}

/** The state of the newest delivery: in progress or interrupted, failed, or finished. */
export interface DeliveryState {
  readonly status: 'started' | 'failed' | 'finished';
  readonly fact: DeliveryFact;
  readonly seq: number;
}
