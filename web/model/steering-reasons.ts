import { owedDelivery } from '../../src/core/step/delivery.ts';
import { isInProject, resultState, type ResultState } from '../../src/core/look/result-state.ts';
import { type AccessRole, roleProblem } from '../../src/protocol/operations/access.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import { isRunPaused } from '../../src/core/step/paused.ts';
import { liveRunsOf, type RunTree } from './run-tree.ts';
import { listedState } from './run-result.ts';

/** Why something cannot be done to a run now; null where it can. */
export type SteeringReasons = Readonly<Record<SteeringKind, string | null>>;

export type SteeringKind = 'pause' | 'resume' | 'cancel' | 'fork' | 'deliver' | 'discard' | 'archive' | 'rollback';

export interface Steered {
  /** Of the root. */
  readonly snapshot: Snapshot;
  /** A process drives it; null where that is not known yet. */
  readonly driven: boolean | null;
  /** A run of the tree met a limit or was paused. */
  readonly isStill: boolean;
  /** Questions are all that is open: resuming would change nothing. */
  readonly isAsking: boolean;
  /** A workspace holds something else than it began with. */
  readonly hasChanges: boolean;
}

export function steeredOf(tree: RunTree): Steered | null {
  const snapshot = tree.runs.get(tree.root)?.snapshot;
  if (snapshot === undefined) return null;
  const all = [...tree.runs.values()].map((run) => run.snapshot);
  return {
    snapshot,
    driven: tree.isDriven,
    isStill: liveRunsOf(tree).some((one) => isRunPaused(one.snapshot)),
    isAsking: isAsking(liveRunsOf(tree).map((one) => one.snapshot)),
    hasChanges: all.some((one) =>
      Object.values(one.workspaces).some(({ tree: held }) => held !== snapshot.files?.tree),
    ),
  };
}

const isAsking = (live: readonly Snapshot[]): boolean => {
  const tasks = live.flatMap((snapshot) => Object.values(snapshot.tasks));
  return tasks.some(({ work }) => work.kind === 'ask') && tasks.every(({ work }) => RESTING.has(work.kind));
};

/** A question, and what waits for a run or a unit that asks. */
const RESTING: ReadonlySet<string> = new Set(['ask', 'call', 'pool']);

/** `listed`: the result as git has it now, where the run is in a list. */
export function steeringReasons(steered: Steered, listed?: ResultState): SteeringReasons {
  const { snapshot } = steered;
  const over = snapshot.result === null ? null : `The run is over: ${snapshot.result.outcome}.`;
  return {
    pause: over ?? pauseReason(steered),
    resume:
      over === null || isOwed(snapshot) ? resumeReason(steered) : `${over} Fork it to continue from one of its steps.`,
    cancel: over,
    fork: snapshot.current.state === '' ? 'There is no step yet to fork from.' : null,
    deliver: deliverReason(steered),
    discard: over === null ? OPEN : discardReason(listedState(resultState(snapshot), listed)),
    archive: over === null ? OPEN : null,
    rollback: rollbackReason(steered),
  };
}

/** The same with what a role may not do at all. */
export const allowedReasons = (reasons: SteeringReasons, role: AccessRole): SteeringReasons => ({
  ...reasons,
  ...Object.fromEntries(
    (Object.keys(reasons) as SteeringKind[]).map((kind) => [kind, roleProblem(role, kind) ?? reasons[kind]]),
  ),
});

/** A run that is over is resumed to deliver its result. */
const isOwed = (snapshot: Snapshot): boolean =>
  owedDelivery(snapshot) !== null && resultState(snapshot).state !== 'refused';

function pauseReason({ isStill, driven }: Steered): string | null {
  if (isStill) return 'It is already paused.';
  return driven === false ? 'No process drives it, so it is already stopped.' : null;
}

function resumeReason({ isStill, driven, isAsking }: Steered): string | null {
  if (isStill) return null;
  if (isAsking) return 'It waits for your answer, and goes on by itself once it has one.';
  return driven === true ? 'It is running.' : null;
}

function deliverReason({ snapshot, hasChanges, driven }: Steered): string | null {
  if (snapshot.files === null) return 'There are no files to deliver: no agent of this run can use a tool.';
  if (!hasChanges) return 'There is nothing to deliver: no file was changed.';
  if (snapshot.discardedBy !== null) return `${snapshot.discardedBy} discarded its result: undo that first.`;
  return snapshot.status === 'settled' || driven !== true ? null : DRIVEN;
}

/** Discarding does not remove changes that are already in the user's files. */
function discardReason(result: ResultState): string | null {
  if (result.state === 'none') return 'There is no result: no file was changed.';
  if (result.kind === 'merged') return 'Its branch is merged already: undo that with git.';
  return isInProject(result) ? 'Its result is in your files already: roll it back to take it out again.' : null;
}

const OPEN = 'The run is not over.';

/** A rollback would lose the records of another process that drives the run. */
function rollbackReason({ snapshot, driven }: Steered): string | null {
  if (snapshot.current.state === '') return 'There is no step yet to roll back to.';
  if (snapshot.status === 'settled' || driven !== true) return null;
  return DRIVEN;
}

const DRIVEN = 'A process drives it now: pause or cancel it first.';

export const isSameReasons = (a: SteeringReasons | null, b: SteeringReasons | null): boolean =>
  a === b || (a !== null && b !== null && (Object.keys(a) as SteeringKind[]).every((kind) => a[kind] === b[kind]));
