import type { Allowed } from '../../core/record/delivery-fact.ts';
import { failedCheck, type ResultDoubt } from '../../core/step/failed-check.ts';
import { Fault } from '../../core/model/fault.ts';
import type { RefusedFiles } from '../../core/record/files-fact.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { unverifiedIn } from '../../core/look/unverified.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { Journal } from '../../journal/port.ts';
import { unresolvedMarkers } from '../../workspace/changes/conflict.ts';
import { stillOpen } from '../perform/files/open-conflicts.ts';
import type { MergeTarget } from './merge-outcome.ts';
import { agentIn, namedResult } from './named-result.ts';
import type { RunResult } from './run-result.ts';

/** From records alone, for every family of workflows; null if there is no reason to refuse the files. */
export async function resultDoubt(journal: Journal, result: RunResult): Promise<ResultDoubt | null> {
  if (result.refused !== undefined) return await refusedDoubt(result, result.refused);
  const snapshot = foldRecords(await journal.read(result.run));
  const failed = failedCheck(snapshot, result);
  if (failed !== null) return failed;
  const unverified = unverifiedIn(snapshot);
  if (unverified === null) return null;
  const isIt = (await agentIn(journal, snapshot, result.workspace)) === unverified.implementation;
  return isIt ? { code: 'RESULT_NOT_VERIFIED', why: unverified.why } : null;
}

async function refusedDoubt(result: RunResult, refused: RefusedFiles): Promise<ResultDoubt> {
  const paths = await pathsInConflict(result);
  if (paths.length > 0) return { code: 'RESULT_IN_CONFLICT', why: `Both sides stand in ${paths.join(', ')}.` };
  const settled = refused.code === 'MERGE_CONFLICT' ? 'Its conflicts are settled, and no check has passed since. ' : '';
  return { code: 'RESULT_NOT_VERIFIED', why: `${settled}${refused.why}` };
}

const MOST = 20;

/** Markers that the engine wrote, and conflicts that no marker can show. */
async function pathsInConflict({ store, tree, base, refused, open }: RunResult): Promise<readonly string[]> {
  const marked = await unresolvedMarkers(store, { tree, base }, refused?.paths ?? []);
  const unmarked = open === undefined ? [] : await stillOpen(store, { tree, base, version: 0, open });
  const paths = [...marked, ...unmarked].map(({ path }) => shownPath(Buffer.from(path, 'latin1')));
  return [...new Set(paths)].slice(0, MOST);
}

export interface DoubtfulRequest {
  readonly target: MergeTarget;
  /** A check of the user, which settles the doubt if it passes. */
  readonly verify: string | null;
  readonly allow: readonly Allowed[];
}

/** Refuses files that are no result, unless the user asks for them by name; files in conflict never go into the project. */
export async function refuseDoubtful(
  journal: Journal,
  result: RunResult,
  { target, verify, allow }: DoubtfulRequest,
): Promise<ResultDoubt | null> {
  const doubt = await resultDoubt(journal, result);
  if (doubt === null) return null;
  const named = await namedResult(journal, result.run, result.workspace);
  if (doubt.code === 'RESULT_IN_CONFLICT') {
    if (allow.includes('conflicts') && target.kind !== 'apply') return doubt;
    throw new Fault(doubt.code, `The files have open conflicts and were not delivered. ${doubt.why}`, {
      hint: `Settle them in the folder of the workspace (troupe show ${result.run} names it), or take both sides with their markers as a branch or a patch: troupe deliver ${named} --with-conflicts`,
    });
  }
  if (verify !== null) return null;
  if (allow.includes('unverified')) return doubt;
  throw new Fault(doubt.code, `The files are not verified and were not delivered. ${doubt.why}`, {
    hint: `Look: troupe diff ${named}. Check them: troupe deliver ${named} --verify COMMAND. Take them marked as not verified: troupe deliver ${named} --unverified`,
  });
}

/** For a commit message, a patch and people. */
export const resultDoubtText = ({ code, why }: ResultDoubt): string =>
  `${code === 'RESULT_IN_CONFLICT' ? 'IN CONFLICT' : 'NOT VERIFIED'}: ${why}`;
