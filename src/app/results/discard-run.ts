import { rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import type { DeliveryFinished, ResultDiscarded, RunArchived } from '../../core/record/delivery-fact.ts';
import { Fault } from '../../core/model/fault.ts';
import {
  isInProject,
  NO_RESULT,
  resultAs,
  resultState,
  type ResultState,
  resultText,
} from '../../core/look/result-state.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { resultOwner } from '../../host/deliver/merge-target.ts';
import { runOpen } from '../../host/deliver/run-result.ts';
import type { HeldRun } from '../../host/port.ts';
import type { RunInfo } from '../../journal/port.ts';
import { removeBranch } from '../../workspace/changes/user-repository.ts';
import { runPlace } from '../../workspace/run-place.ts';
import type { Session } from '../runs/session.ts';
import { withGit } from './with-git.ts';

/** A decision about a result needs a run that is over. */
export function refuseOpen({ run, status }: Pick<RunInfo | Snapshot, 'run' | 'status'>): void {
  if (status !== 'settled') throw runOpen(run);
}

export function refuseDiscarded({ run, discardedBy }: Pick<Snapshot, 'run' | 'discardedBy'>): void {
  if (discardedBy === null) return;
  throw new Fault('RESULT_DISCARDED', `${discardedBy} discarded the result of run ${run}.`, {
    hint: `Undo the discard first: troupe discard ${run} --undo`,
  });
}

export interface DiscardedRun extends ResultDiscarded {
  readonly run: string;
  /** Branches and patches that were Troupe's own. */
  readonly removed: readonly string[];
  /** Those that somebody works on by now. */
  readonly kept: readonly string[];
}

/**
 * Records that a result is not wanted, then removes the branches and patches that Troupe made for it. The record comes first: if
 * this process dies, asking again removes the rest. Workspaces and snapshots stay until they are pruned, so it can be undone.
 * What is decided here is decided from the run as it is once no other process can write to it.
 */
export async function discardRun(
  session: Session,
  info: RunInfo,
  { isUndone = false }: { readonly isUndone?: boolean } = {},
): Promise<DiscardedRun> {
  refuseOpen(info);
  const held = await session.host.hold(info.run);
  try {
    refuseOpen(held.snapshot);
    return await (isUndone ? undo(session, info, held) : discard(session, info, held));
  } finally {
    await held.release();
  }
}

async function discard(session: Session, info: RunInfo, { snapshot, note }: HeldRun): Promise<DiscardedRun> {
  const { run, project } = info;
  const { by } = session;
  if (snapshot.discardedBy === null) {
    const [seen] = await withGit([{ project, result: resultState(snapshot) }]);
    refuseToDiscard(run, seen?.result ?? NO_RESULT);
    await note({ kind: 'result.discarded', by });
  }
  const gone = await removeDelivered(session, info);
  if (snapshot.discardedBy !== null && gone.removed.length === 0) refuseDiscarded(snapshot);
  return { kind: 'result.discarded', run, by, ...gone };
}

async function undo({ by }: Session, { project }: RunInfo, { snapshot, note }: HeldRun): Promise<DiscardedRun> {
  const { run, discardedBy } = snapshot;
  if (discardedBy === null)
    throw new Fault('RESULT_NOT_DISCARDED', `The result of run ${run} is not discarded.`, {
      hint: `See its status: troupe show ${run}`,
    });
  const kept = await keptCopies(project, snapshot);
  await note({ kind: 'result.discarded', by, isUndone: true, ...(kept.length === 0 ? {} : { isKept: true }) });
  return { kind: 'result.discarded', run, by, isUndone: true, removed: [], kept };
}

/** The branch or the patch that the discard left. */
async function keptCopies(project: string, { handed }: Snapshot): Promise<readonly string[]> {
  const { how, where } = handed?.copy ?? handed ?? {};
  if (where === undefined || (how !== 'branch' && how !== 'patch')) return [];
  const [seen] = await withGit([{ project, result: resultAs(how, { where }) }]);
  return GONE.has(seen?.result.kind) ? [] : [where];
}

const GONE: ReadonlySet<string | undefined> = new Set(['branch-gone', 'patch-gone']);

/** Discarding does not remove changes that are already in the user's files. */
function refuseToDiscard(run: string, result: ResultState): void {
  if (result.state === 'none')
    throw new Fault('RESULT_NONE', `Run ${run} changed nothing, so there is no result to discard.`, {
      hint: `Hide the run from lists: troupe archive ${run}`,
    });
  if (isInProject(result))
    throw new Fault('RESULT_DELIVERED', `The result of run ${run} is in your project already: ${resultText(result)}.`, {
      hint:
        result.kind === 'merged'
          ? `Undo it with git, or hide the run from lists: troupe archive ${run}`
          : `Take it out of your files: troupe rollback ${run} --files`,
    });
}

type Removed = Pick<DiscardedRun, 'removed' | 'kept'>;

async function removeDelivered({ store }: Session, { run, project }: RunInfo): Promise<Removed> {
  const removed: string[] = [];
  const kept: string[] = [];
  for (const { how, where = '', workspace } of delivered((await store.journal.read(run)).map(({ fact }) => fact))) {
    if (how === 'branch') {
      const answer = await removeBranch(project, { name: where, owner: resultOwner({ run, workspace }) });
      if (answer !== 'absent') (answer === 'removed' ? removed : kept).push(where);
    } else if (where.startsWith(runPlace(store.home, run).base) && existsSync(where)) {
      await rm(where);
      removed.push(where);
    }
  }
  return { removed, kept };
}

/** Each branch and patch once. */
function delivered(facts: readonly { readonly kind: string }[]): readonly DeliveryFinished[] {
  const finished = facts.filter((fact): fact is DeliveryFinished => fact.kind === 'delivery.finished');
  const waiting = finished.filter(({ how }) => how === 'branch' || how === 'patch');
  return [...new Map(waiting.map((fact) => [fact.where, fact])).values()];
}

/** Hides a run from lists and the board, or shows it there again. Nothing of it is removed. */
export async function archiveRun(
  { host, by }: Session,
  info: RunInfo,
  { isUndone = false }: { readonly isUndone?: boolean } = {},
): Promise<RunArchived & { readonly run: string }> {
  const { run, isArchived = false } = info;
  refuseOpen(info);
  if (isArchived !== isUndone)
    throw new Fault(
      isArchived ? 'RUN_ARCHIVED' : 'RUN_NOT_ARCHIVED',
      `Run ${run} is ${isArchived ? 'archived already' : 'not archived'}.`,
      { hint: isArchived ? `Show it in lists again: troupe archive ${run} --undo` : 'Lists show it: troupe list' },
    );
  const fact: RunArchived = { kind: 'run.archived', by, ...(isUndone ? { isUndone: true } : {}) };
  await host.note(run, fact);
  return { run, ...fact };
}
