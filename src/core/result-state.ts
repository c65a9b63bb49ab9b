import { owedDelivery } from './delivery.ts';
import type { DeliveryFinished } from './delivery-fact.ts';
import type { Snapshot } from './snapshot.ts';
import { MAIN_WORKSPACE } from './workspace-name.ts';

/**
 * Where the result of a settled run is (L4):
 * - `not-verified`: a check or the workflow refused it. `unresolved`: its files hold conflicts of the agents. `conflict`: it
 *   conflicts with the user's files. Nothing was handed over in these three.
 * - `unapproved`: its files changed after a person approved them, so that nothing was handed over either.
 * - `undelivered`: its delivery is under way, was cut off or failed. `half-applied`: an apply was cut off.
 * - `branch`, `patch`: it waits there. `waiting`: it waits in the workspaces of the run.
 * - `applied`: it is in the project. `held`: the same, but for files that steer the user's programs.
 */
export interface ResultState {
  readonly kind:
    | 'not-verified'
    | 'unresolved'
    | 'conflict'
    | 'unapproved'
    | 'undelivered'
    | 'half-applied'
    | 'branch'
    | 'patch'
    | 'waiting'
    | 'applied'
    | 'held';
  /** The branch, or the file of the patch. */
  readonly where?: string;
  /** The user took files that are not verified. */
  readonly isUnverified?: true;
}

/** Null while the run goes on, where it changed nothing, and of a run below: its files belong to the run that people started. */
export function resultState(snapshot: Snapshot): ResultState | null {
  const { status, parent, projectChange, handed } = snapshot;
  if (status !== 'settled' || parent !== null) return null;
  if (projectChange?.isBeginning === true) return { kind: 'half-applied' };
  if (owedDelivery(snapshot) !== null) return owedState(snapshot);
  if (isTakenSince(snapshot)) return appliedState(snapshot);
  return handed !== null && isCurrent(snapshot, handed) ? handedState(handed) : waitingState(snapshot);
}

/** An apply of another workspace leaves what was handed over of this one as it is. */
function isTakenSince({ projectChange, handed }: Snapshot): boolean {
  if (projectChange?.how !== 'applied') return false;
  const { workspace = MAIN_WORKSPACE, seq } = projectChange;
  return handed === null || (handed.workspace === workspace && handed.seq < seq);
}

function owedState({ delivery }: Snapshot): ResultState {
  const code = delivery?.fact.kind === 'delivery.failed' ? delivery.fact.failure.code : '';
  return { kind: REFUSALS.get(code) ?? 'undelivered' };
}

const REFUSALS: ReadonlyMap<string, ResultState['kind']> = new Map([
  ['RESULT_NOT_VERIFIED', 'not-verified'],
  ['RESULT_IN_CONFLICT', 'unresolved'],
  ['APPROVAL_VOID', 'unapproved'],
]);

/** Whether a delivery failed so that only a person can decide: trying again changes nothing. */
export const needsDecision = (code: string): boolean => REFUSALS.has(code);

function handedState({ how, where, held, unverified }: DeliveryFinished): ResultState {
  const mark = unverified === undefined ? {} : ({ isUnverified: true } as const);
  if (held !== undefined) return { kind: 'held', ...mark };
  if (how === 'conflict' || how === 'not-verified') return { kind: how };
  if (how === 'applied' || how === 'unchanged') return { kind: 'applied', ...mark };
  return { kind: how, ...(where === undefined ? {} : { where }), ...mark };
}

/** What a branch or a patch holds is the result only while the workspace holds the same. */
function isCurrent({ workspaces }: Snapshot, { workspace, tree }: DeliveryFinished): boolean {
  const files = workspaces[workspace];
  return files === undefined || files.tree === tree;
}

function appliedState(snapshot: Snapshot): ResultState {
  const { workspaces, projectChange } = snapshot;
  const { workspace = MAIN_WORKSPACE, tree, unverified } = projectChange ?? {};
  const files = workspaces[workspace];
  // The run went on after the apply and changed more.
  if (tree !== undefined && files !== undefined && files.tree !== tree) return { kind: 'waiting' };
  return { kind: 'applied', ...(unverified === undefined ? {} : { isUnverified: true }) };
}

function waitingState({ workspaces, delivery }: Snapshot): ResultState | null {
  const main = workspaces[MAIN_WORKSPACE];
  const fact = delivery?.status === 'finished' ? delivery.fact : null;
  // The user had the same files already.
  if (fact?.kind === 'delivery.finished' && fact.how === 'unchanged' && fact.tree === main?.tree) return null;
  const isChanged = Object.values(workspaces).some(({ tree, base, isGone }) => isGone !== true && tree !== base);
  return isChanged ? { kind: 'waiting' } : null;
}

/** The words of every face; `isDriven`: a process is still at work on the run. */
export function resultText({ kind, where, isUnverified }: ResultState, isDriven = false): string {
  const place = isDriven && UNDER_WAY.has(kind) ? 'being delivered' : TEXTS[kind];
  const branch = kind === 'branch' && where !== undefined ? `in branch ${where}` : place;
  return `${branch}${isUnverified === true ? ', not verified' : ''}`;
}

const UNDER_WAY: ReadonlySet<ResultState['kind']> = new Set(['undelivered', 'half-applied']);

const TEXTS: Readonly<Record<ResultState['kind'], string>> = {
  'not-verified': 'not verified',
  unresolved: 'in conflict',
  conflict: 'in conflict',
  unapproved: 'not approved',
  undelivered: 'not delivered',
  'half-applied': 'partly applied',
  branch: 'in a branch',
  patch: 'in a patch',
  waiting: 'changes wait',
  applied: 'applied',
  held: 'applied, files held back',
};

/** Nothing of it was handed over, and only a person can decide about it. */
export const isRefusedState = (state: ResultState | null | undefined): boolean =>
  state?.kind === 'conflict' || [...REFUSALS.values()].some((kind) => kind === state?.kind);
