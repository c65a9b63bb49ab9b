import type { Effect } from '../../core/model/effect.ts';
import type { ChildSettled, RunPause } from '../../core/model/event.ts';
import type { Fact } from '../../core/record/fact.ts';
import { taskId, type RunId, type TaskId } from '../../core/model/ids.ts';
import { hasSpentPart, areSharesNew, SHARED_LIMITS, shareOf, spentShare } from '../../core/step/share-limit.ts';
import type { SharedLimit } from '../../core/record/limit-fact.ts';
import { openChildren, type OpenChild } from '../../core/fold/open-children.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { Outgoing } from '../../journal/port.ts';
import type { InboxBody } from './inbox-body.ts';

/** A run before and after some facts, with their effects. */
export interface Moved {
  /** Null where the run begins. */
  readonly before: Snapshot | null;
  readonly after: Snapshot;
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  /** It was taken over: its state is reported to its parent, whatever the parent knows. */
  readonly isTakenOver?: boolean;
}

/**
 * Messages that a run sends in the same transaction as its records: its state to its parent, and orders to its child runs.
 * Runs never call each other's drivers, so any process may drive each of them.
 */
export function outgoing(moved: Moved): readonly Outgoing[] {
  const { run, parent, at, seq } = moved.after;
  const all: Addressed[] = [];
  if (parent !== null) all.push(...toParent(moved).map((body) => ({ to: parent, body })));
  for (const fact of moved.facts) if (CONCERNS_OTHERS.has(fact.kind)) all.push(...toRunsAround(moved.after, fact));
  all.push(...newShares(moved));
  for (const effect of moved.effects) if (IS_ORDER.has(effect.kind)) all.push(...toChildren(moved, effect));
  if (all.length === 0) return NONE;
  return all.map(({ to, body }, index) => ({
    run: to,
    message: { id: `${run}@${seq}.${index}`, at, body: body as unknown as Outgoing['message']['body'] },
  }));
}

const NONE: readonly never[] = [];

const CONCERNS_OTHERS: ReadonlySet<Fact['kind']> = new Set(['run.continued', 'run.paused']);
const IS_ORDER: ReadonlySet<Effect['kind']> = new Set(['child.go', 'child.share', 'task.stop']);

function toParent(moved: Moved): readonly InboxBody[] {
  const { before, after, facts } = moved;
  const child = taskOf(after.run);
  if (facts.some(({ kind }) => kind === 'run.settled')) return [newsOfEnd(after)];
  const slots = moved.isTakenOver === true ? standingSlot(after) : facts.flatMap(slotNews);
  // A run that stopped because its share is spent reports that before its parent starts others in its slot.
  const news = [...spentNews(moved), ...slots.map((to): InboxBody => ({ kind: 'child.slot', child, to }))];
  const isWaiting = waits(after);
  const isKnown = moved.isTakenOver !== true && (before !== null && waits(before)) === isWaiting;
  return isKnown ? news : [...news, { kind: 'child.waits', child, isWaiting }];
}

/** What it has spent: now and then, and when its share is spent. */
function spentNews({ before, after, facts, isTakenOver }: Moved): readonly InboxBody[] {
  const hasStopped = isTakenOver === true || facts.some(({ kind }) => kind === 'limit.reached');
  const wants = hasStopped ? spentShare(after) : null;
  if (wants === null && (before === null || !hasSpentPart(before, after))) return [];
  const report = { kind: 'child.spent', child: taskOf(after.run), ...after.unreported } as const;
  return [wants === null ? report : { ...report, wants }];
}

/** A limit of the run was raised, or is spent: its children hear what they may spend now. */
function newShares({ before, after }: Moved): readonly Addressed[] {
  const limits = before === null ? NONE : SHARED_LIMITS.filter((limit) => areSharesNew(before, after, limit));
  return limits.length === 0 ? NONE : openChildren(after).flatMap((child) => limits.map(shareFor(after, child)));
}

const shareFor =
  (after: Snapshot, { id, run }: OpenChild) =>
  (limit: SharedLimit): Addressed => ({
    to: run,
    body: { kind: 'limit.share', limit, allowed: shareOf(after, id, limit) },
  });

const waits = ({ status, clock }: Snapshot): boolean => status === 'running' && isAtRest(clock);

type SlotNews = 'left' | 'wanted';

const standingSlot = ({ slot }: Snapshot): readonly SlotNews[] =>
  slot === 'wanted' ? ['left', 'wanted'] : slot === 'left' ? ['left'] : [];

function slotNews(fact: Fact): readonly SlotNews[] {
  if (fact.kind === 'run.started') return fact.slot === 'left' ? ['left'] : [];
  const isOwn = fact.kind === 'slot.moved' && fact.child === undefined;
  return isOwn && fact.to !== 'given' ? [fact.to] : [];
}

/** The end of a run as reported to its parent. */
export function newsOfEnd(child: Snapshot): ChildSettled {
  const result = child.result ?? { outcome: 'crashed', output: null, failure: null };
  const left = child.apart?.left ?? null;
  return {
    kind: 'child.settled',
    child: taskOf(child.run),
    workspaces: child.workspaces,
    ...result,
    ...child.unreported,
    ...(left === null ? {} : { left }),
  };
}

/** The end of a child run, and the message that reported it. */
export interface HeardBelow {
  readonly event: ChildSettled;
  readonly message: string | null;
}

/**
 * A failure that a person has to fix pauses the whole tree: each run passes the pause on when it takes it. Continuing is passed
 * down only, so that it follows a pause that is still on its way.
 */
function toRunsAround(after: Snapshot, fact: Fact): readonly Addressed[] {
  if (fact.kind === 'run.continued') return below(after, { kind: 'run.continue', by: fact.by });
  if (fact.kind !== 'run.paused' || fact.failure === undefined) return [];
  const body = pauseFor(fact);
  return [...(after.parent === null ? [] : [{ to: after.parent, body }]), ...below(after, body)];
}

/** The pause as other runs of the tree take it. */
export const pauseFor = ({ by, reason, failure }: Omit<RunPause, 'kind' | 'unbegun'>): RunPause => ({
  kind: 'run.pause',
  by,
  reason,
  ...(failure === undefined ? {} : { failure }),
});

const below = (snapshot: Snapshot, body: InboxBody): readonly Addressed[] =>
  openChildren(snapshot).map(({ run }) => ({ to: run, body }));

interface Addressed {
  readonly to: RunId;
  readonly body: InboxBody;
}

function toChildren({ before, after }: Moved, effect: Effect): readonly Addressed[] {
  if (effect.kind === 'child.go' || effect.kind === 'child.share') {
    const child = openChildren(after).find(({ id }) => id === effect.task);
    if (child === undefined) return [];
    if (effect.kind === 'child.share') return [shareFor(after, child)(effect.limit)];
    return [{ to: child.run, body: { kind: 'slot', to: 'given' } }];
  }
  if (effect.kind !== 'task.stop') return [];
  const runs = [before, after].flatMap((snapshot) =>
    snapshot === null ? [] : openChildren(snapshot).filter(({ task }) => task === effect.task),
  );
  return [...new Set(runs.map(({ run }) => run))].map((to) => ({
    to,
    body: { kind: 'cancel', by: after.run, reason: STOPPED },
  }));
}

export const STOPPED = 'its parent stopped it';

/** The name of a run within its parent: the task it does, or the name of a sub-agent. */
const taskOf = (run: RunId): TaskId => taskId(run.slice(run.lastIndexOf('/') + 1));
