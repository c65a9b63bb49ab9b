import type { DeliveryFact, DeliveryFinished, DeliveryStarted, ResultDiscarded } from '../record/delivery-fact.ts';
import type { Draft } from '../model/draft.ts';
import type { ResultDoubt } from './failed-check.ts';
import { lastLines } from '../look/last-lines.ts';
import type { StepProgress } from './progress.ts';
import type { DeliveryOrder } from '../model/run-terms.ts';
import type { HandedResult, ResultCopy, Snapshot } from '../fold/snapshot.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';

/**
 * When a run's result is brought to the user, and what stands in the journal about it (R1).
 *
 * [D1] The intent is written in the same transaction as `run.settled`, so no moment lies between a good end and its delivery.
 * [D2] An intent without a result is carried out again by the next process that takes the run up; a failed one when a person resumes it.
 * [D3] A delivery that finished after the run's end is never repeated for the same files. One that a person asked for before
 *      is only a copy: the run's own delivery is still owed.
 * [D4] A delivery that a person asked for is written down and carried out in the same way. If it fails, the result is where it
 *      was before. A discarded result owes nothing.
 */

/** Where the newest delivery stands: under way or cut off, failed, or finished. */
export interface DeliveryState {
  readonly status: 'started' | 'failed' | 'finished';
  readonly fact: DeliveryFact;
  readonly seq: number;
}

/** The delivery that a run owes now; null where there is none, or it is done. */
export function owedDelivery(snapshot: Snapshot): DeliveryStarted | null {
  const { status, asking, discardedBy } = snapshot;
  if (discardedBy !== null || status !== 'settled') return null;
  return asking ?? wishedDelivery(snapshot);
}

function wishedDelivery(snapshot: Snapshot): DeliveryStarted | null {
  const { parent, terms, delivery } = snapshot;
  const order = terms.delivery;
  if (parent !== null || order === undefined || !isGoodEnd(snapshot, order)) return null;
  const tree = changedTree(snapshot);
  const isDone = delivery?.status === 'finished' && delivery.fact.tree === tree;
  return tree === null || isDone ? null : orderFor(order, tree);
}

/** What the main workspace holds; null where that is gone or nothing of it was changed. */
function changedTree({ workspaces }: Snapshot): DeliveryStarted['tree'] | null {
  const main = workspaces[MAIN_WORKSPACE];
  if (main === undefined || main.isGone === true) return null;
  return main.tree === main.base ? null : main.tree;
}

function isGoodEnd({ result }: Snapshot, { allowsPartial }: DeliveryOrder): boolean {
  return result?.outcome === 'ok' || (result?.outcome === 'partial' && allowsPartial === true);
}

function orderFor(
  { allowsPartial: _allowsPartial, allowsSteering, ...order }: DeliveryOrder,
  tree: DeliveryStarted['tree'],
): DeliveryStarted {
  const allow = allowsSteering === true ? ({ allow: ['steering'] } as const) : {};
  return { kind: 'delivery.started', workspace: MAIN_WORKSPACE, tree, ...order, ...allow };
}

/** Whether a delivery failed because the files are no result: a person decides, and trying again changes nothing. */
export const isRefusedResult = (code: string): code is ResultDoubt['code'] =>
  code === 'RESULT_NOT_VERIFIED' || code === 'RESULT_IN_CONFLICT';

/** Orders the delivery that is owed. It is announced first, unless that very delivery was and was cut off. */
export function startDelivery(progress: StepProgress): void {
  const owed = owedDelivery(progress.snapshot);
  if (owed === null) return;
  const isAnnounced = JSON.stringify(startedDelivery(progress.snapshot)) === JSON.stringify(owed);
  if (!isAnnounced) progress.record(owed);
  progress.emit({ kind: 'delivery.run' });
}

/** The delivery that is under way or was cut off. */
export function startedDelivery({ asking, delivery }: Snapshot): DeliveryStarted | null {
  if (asking !== null) return asking;
  return delivery?.fact.kind === 'delivery.started' ? delivery.fact : null;
}

/** What of a result stands in a run's snapshot: all but the story for people. */
export function noteDelivery(now: Draft, fact: DeliveryFact): void {
  const { seq, asking } = now;
  if (fact.kind === 'delivery.started' && fact.isAsked === true) {
    now.asking = fact;
    return;
  }
  now.asking = null;
  if (fact.kind === 'delivery.started') now.delivery = { status: 'started', fact, seq };
  else if (fact.kind === 'delivery.finished') noteFinished(now, fact);
  else if (asking === null) now.delivery = { status: 'failed', fact, seq };
}

function noteFinished(now: Draft, fact: DeliveryFinished): void {
  const { report: _report, ...short } = fact;
  const { seq } = now;
  if (fact.workspace === MAIN_WORKSPACE && now.status === 'settled')
    now.delivery = { status: 'finished', fact: short, seq };
  if (!isFurtherCopy(now, fact)) noteHanded(now, fact, { ...short, seq });
  if (fact.how === 'applied' && fact.unverified !== undefined && now.projectChange !== null)
    now.projectChange = { ...now.projectChange, unverified: fact.unverified };
}

function noteHanded(now: Draft, fact: DeliveryFinished, handed: HandedResult): void {
  const isRefused = fact.how === 'conflict' || fact.how === 'not-verified';
  const copy = isRefused ? copyOf(now.handed, fact) : null;
  if (WAITING.has(fact.how) || fact.held !== undefined)
    now.handed = { ...handed, ...printedBy(now, fact), ...(copy === null ? {} : { copy }) };
  else if (now.handed?.workspace === fact.workspace) now.handed = null;
}

/** A refused delivery changed nothing: the branch or the patch with the same files is still there. */
function copyOf(before: HandedResult | null, { workspace, tree }: DeliveryFinished): ResultCopy | null {
  return before?.workspace === workspace && before.tree === tree ? resultCopy(before) : null;
}

/** The branch or the patch that holds the files; null where there is none, or it went with a discard. */
export function resultCopy({ how, where, unverified, isRemoved, copy }: HandedResult): ResultCopy | null {
  if (how !== 'branch' && how !== 'patch') return copy === undefined || copy.isRemoved === true ? null : copy;
  const place = { how, ...(where === undefined ? {} : { where }), ...(unverified === undefined ? {} : { unverified }) };
  return isRemoved === true ? null : place;
}

/** A copy of files that were held back, or an apply that found the files of the branch in the project: the result is where it was. */
function isFurtherCopy({ handed }: Draft, { workspace, tree, how, held }: DeliveryFinished): boolean {
  if (handed?.workspace !== workspace || handed.tree !== tree || held !== undefined) return false;
  if (handed.held !== undefined) return how !== 'applied' && how !== 'unchanged';
  return how === 'unchanged' && resultCopy(handed) !== null;
}

/** The result waits for the user; so do files that were held back from an apply. */
const WAITING: ReadonlySet<string> = new Set(['branch', 'patch', 'conflict', 'not-verified']);

/** The end of what a refused check printed; kept where the same files are taken all the same. */
function printedBy({ handed }: Draft, { tree, report, unverified }: DeliveryFinished): { readonly printed?: string } {
  const output = report?.['output'];
  if (typeof output === 'string' && output.trim() !== '') return { printed: lastLines(output) };
  const isSame = unverified !== undefined && handed?.tree === tree;
  return isSame && handed.printed !== undefined ? { printed: handed.printed } : {};
}

/** Its branch and its patch go, except those that a person works on; a check's verdict still counts if the decision is undone. */
export function noteDiscard(now: Draft, { by, isUndone, isKept }: ResultDiscarded): void {
  now.discardedBy = isUndone === true ? null : by;
  now.asking = null;
  if (now.handed === null) return;
  const { isRemoved: _isRemoved, copy, ...handed } = now.handed;
  const mark = isKept === true ? {} : ({ isRemoved: true } as const);
  if (handed.how === 'branch' || handed.how === 'patch') now.handed = { ...handed, ...mark };
  else if (copy !== undefined) now.handed = { ...handed, copy: { ...withoutMark(copy), ...mark } };
}

const withoutMark = ({ isRemoved: _isRemoved, ...copy }: ResultCopy): ResultCopy => copy;
