import { lastLines } from '../look/last-lines.ts';
import type { ResultDiscarded, DeliveryFinished, DeliveryFact } from '../record/delivery-fact.ts';
import type { ResultCopy, HandedResult } from './snapshot.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';
import type { Draft } from './draft.ts';

/** The part of a delivery that belongs in a run's snapshot: all except the report for people. */
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

/** The branch or the patch that holds the files; null if there is none, or it was removed with a discard. */
export function resultCopy({ how, where, unverified, isRemoved, copy }: HandedResult): ResultCopy | null {
  if (how !== 'branch' && how !== 'patch') return copy === undefined || copy.isRemoved === true ? null : copy;
  const place = { how, ...(where === undefined ? {} : { where }), ...(unverified === undefined ? {} : { unverified }) };
  return isRemoved === true ? null : place;
}

/** A copy of files that were held back, or an apply that found the files of the branch in the project: the result stays where it was. */
function isFurtherCopy({ handed }: Draft, { workspace, tree, how, held }: DeliveryFinished): boolean {
  if (handed?.workspace !== workspace || handed.tree !== tree || held !== undefined) return false;
  if (handed.held !== undefined) return how !== 'applied' && how !== 'unchanged';
  return how === 'unchanged' && resultCopy(handed) !== null;
}

/** States in which the result waits for the user, including files held back from an apply. */
const WAITING: ReadonlySet<string> = new Set(['branch', 'patch', 'conflict', 'not-verified']);

/** The end of the output of a refused check; kept if the same files are accepted anyway. */
function printedBy({ handed }: Draft, { tree, report, unverified }: DeliveryFinished): { readonly printed?: string } {
  const output = report?.['output'];
  if (typeof output === 'string' && output.trim() !== '') return { printed: lastLines(output) };
  const isSame = unverified !== undefined && handed?.tree === tree;
  return isSame && handed.printed !== undefined ? { printed: handed.printed } : {};
}

/** Its branch and patch are removed, except those that a person works on. The result of a check still counts if the decision is undone. */
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
