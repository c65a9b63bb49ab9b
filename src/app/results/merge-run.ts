import { resolve } from 'node:path';
import type { RunId } from '../../core/ids.ts';
import type { ChosenSides } from '../../host/deliver/chosen-sides.ts';
import { findFiles } from '../../host/deliver/find-files.ts';
import type { Allowed, MergeOutcome, MergeTarget } from '../../host/deliver/merge-outcome.ts';
import { mergeResult } from '../../host/deliver/merge-result.ts';
import { defaultTarget } from '../../host/deliver/merge-target.ts';
import { runResult, type RunResult } from '../../host/deliver/run-result.ts';
import type { Deed } from '../../protocol/operations/acts.ts';
import type { Session } from '../runs/session.ts';
import { chosenSides } from './chosen-sides.ts';
import { deliveryContext } from './delivery-context-of.ts';
import { namedWorkspace, type WorkspaceName } from './named-workspace.ts';
import { noteMerge } from './note-merge.ts';

export interface MergeRequest extends WorkspaceName {
  /** A branch (in git) or a patch (elsewhere) where it is null. */
  readonly target: MergeTarget | null;
  /** The command that the merged files have to pass. */
  readonly verify: string | null;
  readonly sides: ChosenSides;
  readonly allow: readonly Allowed[];
}

export interface MergedRun {
  readonly result: RunResult;
  readonly outcome: MergeOutcome;
}

/** Brings what a run made to the user, or says why not. A check that was interrupted leaves no record. */
export async function mergeRun(
  session: Session,
  run: RunId,
  { request, signal }: { readonly request: MergeRequest; readonly signal: AbortSignal },
): Promise<MergedRun> {
  const { store } = session;
  const { target, verify, sides, allow } = request;
  const files = await findFiles(store.journal, run);
  const workspace = await namedWorkspace(request, store.journal, { run, files });
  const context = await deliveryContext(session, files.root);
  const result = await runResult(context, files, workspace);
  const outcome = await mergeResult(context, result, {
    target: target ?? defaultTarget(result, store.home),
    verify,
    sides,
    signal,
    allow,
  });
  const isInterrupted = signal.aborted && outcome.kind === 'merge.not-verified';
  if (!isInterrupted) await noteMerge(session, result, outcome);
  return { result, outcome };
}

/** As it comes over the wire; files are found from the folder of the caller. */
export function mergeRequest(asked: Extract<Deed, { readonly kind: 'merge' }>, folder: string): MergeRequest {
  const { agent, workspace, to, verify, ours = [], theirs = [], allow = [] } = asked;
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(workspace === undefined ? {} : { workspace }),
    target: targetOf(to, folder),
    verify: verify ?? null,
    sides: chosenSides({ ours, theirs }),
    allow,
  };
}

function targetOf(to: Extract<Deed, { readonly kind: 'merge' }>['to'], folder: string): MergeTarget | null {
  if (to?.kind === 'patch') return { kind: 'patch', file: resolve(folder, to.file), isOwn: false };
  if (to?.kind === 'branch') return to.name === undefined ? null : { kind: 'branch', name: to.name };
  return to ?? null;
}
