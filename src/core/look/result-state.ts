import { owedDelivery } from '../step/delivery.ts';
import { resultCopy } from '../fold/apply-delivery.ts';
import type { HandedResult, Snapshot } from '../fold/snapshot.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';

/** The state of a run's result (R1), in one word, everywhere it is shown. */
export const RESULT_WORDS = ['none', 'waiting', 'delivered', 'refused', 'discarded'] as const;
export type ResultWord = (typeof RESULT_WORDS)[number];

/**
 * Where the result of a settled run is (L4):
 * - `none`: the run is still going, changed nothing, or is a child run, whose files belong to its parent.
 * - `not-verified`: a check or the workflow refused it. `unresolved`: its files hold conflicts of the agents. `conflict`: it
 *   conflicts with the user's files. `unapproved`: its files changed after a person approved them. Nothing was handed over in these.
 * - `undelivered`: its delivery is under way, was cut off or failed. `half-applied`: an apply was cut off.
 * - `ready`: workers made it, and the user's own machine can deliver it.
 * - `branch`, `patch`: it waits there. `held`: applied, but for files that steer the user's programs. `waiting`: it waits in the
 *   workspaces of the run.
 * - `applied`: it is in the project. `merged`: git says that the checked-out commit holds its branch. `branch-gone`, `patch-gone`:
 *   the user deleted that branch or that file.
 * - `discarded`: a person does not want it.
 */
export interface ResultState {
  readonly state: ResultWord;
  readonly kind: ResultKind;
  /** The branch, or the file of the patch. */
  readonly where?: string;
  /** The user took files that are not verified. */
  readonly isUnverified?: true;
}

const WORDS = {
  none: 'none',
  'not-verified': 'refused',
  unresolved: 'refused',
  conflict: 'refused',
  unapproved: 'refused',
  undelivered: 'waiting',
  'half-applied': 'waiting',
  ready: 'waiting',
  branch: 'waiting',
  patch: 'waiting',
  held: 'waiting',
  waiting: 'waiting',
  applied: 'delivered',
  merged: 'delivered',
  'branch-gone': 'delivered',
  'patch-gone': 'delivered',
  discarded: 'discarded',
} as const satisfies Record<string, ResultWord>;

export type ResultKind = keyof typeof WORDS;

export const RESULT_KINDS = Object.keys(WORDS) as ResultKind[];

export const resultAs = (kind: ResultKind, more: Partial<ResultState> = {}): ResultState => ({
  state: WORDS[kind],
  kind,
  ...more,
});

export const NO_RESULT: ResultState = resultAs('none');

export function resultState(snapshot: Snapshot): ResultState {
  const { status, parent, projectChange, handed, discardedBy } = snapshot;
  if (status !== 'settled' || parent !== null) return NO_RESULT;
  if (projectChange?.isBeginning === true) return resultAs('half-applied');
  if (discardedBy !== null) return resultAs('discarded');
  if (owedDelivery(snapshot) !== null) return owedState(snapshot);
  if (isTaken(snapshot)) return appliedState(snapshot);
  return handed !== null && isCurrent(snapshot, handed) ? handedState(handed) : waitingState(snapshot);
}

/** Whether the user's files hold all or part of it: discarding it would not remove it from them. */
export const isInProject = ({ kind }: ResultState): boolean => IN_PROJECT.has(kind);

const IN_PROJECT: ReadonlySet<ResultKind> = new Set(['applied', 'merged', 'half-applied', 'held']);

/** Why a branch or a patch holds nothing new any more. */
export type TakenResult = 'merged' | 'branch-gone' | 'patch-gone';

/** The branch that the result waits on; null where it is elsewhere. */
export const resultBranch = ({ kind, where }: ResultState): string | null =>
  kind === 'branch' && where !== undefined ? where : null;

/** The result after its branch or patch was looked for: no record says that the user merged or deleted it. */
export const asFound = (result: ResultState, taken: TakenResult | undefined): ResultState =>
  taken === undefined ? result : { ...result, ...resultAs(taken) };

/** Files in the project are delivered, even if copies are made of them later. An apply of another workspace does not count. */
function isTaken({ projectChange, handed }: Snapshot): boolean {
  if (projectChange?.how !== 'applied') return false;
  const { workspace = MAIN_WORKSPACE, seq, tree } = projectChange;
  if (handed === null) return true;
  const isCopy = handed.tree === tree && handed.held === undefined;
  return handed.workspace === workspace && (handed.seq < seq || isCopy);
}

function owedState({ delivery, asking, origin }: Snapshot): ResultState {
  // Workers have no project to deliver it to: the user's own process delivers it on request.
  if (origin !== null && delivery === null && asking === null) return resultAs('ready');
  const code = asking === null && delivery?.fact.kind === 'delivery.failed' ? delivery.fact.failure.code : '';
  return resultAs(REFUSALS.get(code) ?? 'undelivered');
}

const REFUSALS: ReadonlyMap<string, ResultKind> = new Map([
  ['RESULT_NOT_VERIFIED', 'not-verified'],
  ['RESULT_IN_CONFLICT', 'unresolved'],
  ['APPROVAL_VOID', 'unapproved'],
]);

/** Whether only a person can decide after this failed delivery: a retry would not help. */
export const needsDecision = (code: string): boolean => REFUSALS.has(code);

function handedState(handed: HandedResult): ResultState {
  const { how, held, unverified } = handed;
  if (held !== undefined) return resultAs('held', markOf(unverified));
  if (how === 'applied' || how === 'unchanged') return resultAs('applied', markOf(unverified));
  const copy = resultCopy(handed);
  if (copy === null) return resultAs(how);
  return resultAs(copy.how, { ...(copy.where === undefined ? {} : { where: copy.where }), ...markOf(copy.unverified) });
}

const markOf = (unverified: string | undefined): Pick<ResultState, 'isUnverified'> =>
  unverified === undefined ? {} : { isUnverified: true };

/** A branch or a patch holds the result only while the workspace holds the same files. */
function isCurrent({ workspaces }: Snapshot, { workspace, tree, isRemoved }: HandedResult): boolean {
  if (isRemoved === true) return false;
  const files = workspaces[workspace];
  return files === undefined || files.tree === tree;
}

function appliedState(snapshot: Snapshot): ResultState {
  const { workspaces, projectChange } = snapshot;
  const { workspace = MAIN_WORKSPACE, tree, unverified } = projectChange ?? {};
  const files = workspaces[workspace];
  // The run went on after the apply and changed more.
  if (tree !== undefined && files !== undefined && files.tree !== tree) return resultAs('waiting');
  return resultAs('applied', markOf(unverified));
}

function waitingState({ workspaces, delivery }: Snapshot): ResultState {
  const main = workspaces[MAIN_WORKSPACE];
  const fact = delivery?.status === 'finished' ? delivery.fact : null;
  // The user had the same files already.
  if (fact?.kind === 'delivery.finished' && fact.how === 'unchanged' && fact.tree === main?.tree) return NO_RESULT;
  const isChanged = Object.values(workspaces).some(({ tree, base, isGone }) => isGone !== true && tree !== base);
  return isChanged ? resultAs('waiting') : NO_RESULT;
}

/** The text shown everywhere, empty if there is no result; `isDriven`: a process still works on the run. */
export function resultText({ kind, where, isUnverified }: ResultState, isDriven = false): string {
  const place = isDriven && UNDER_WAY.has(kind) ? 'being delivered' : TEXTS[kind];
  const branch = kind === 'branch' && where !== undefined ? `in branch ${where}` : place;
  return `${branch}${isUnverified === true ? ', not verified' : ''}`;
}

const UNDER_WAY: ReadonlySet<ResultKind> = new Set(['undelivered', 'half-applied']);

const TEXTS: Readonly<Record<ResultKind, string>> = {
  none: '',
  'not-verified': 'not verified',
  unresolved: 'in conflict',
  conflict: 'in conflict',
  unapproved: 'not approved',
  undelivered: 'not delivered',
  'half-applied': 'partly applied',
  ready: 'ready to deliver',
  branch: 'in a branch',
  patch: 'in a patch',
  waiting: 'changes wait',
  applied: 'applied',
  held: 'applied, files held back',
  merged: 'merged',
  'branch-gone': 'branch deleted',
  'patch-gone': 'patch deleted',
  discarded: 'discarded',
};
