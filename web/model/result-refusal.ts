import { isRefusedResult } from '../../src/core/delivery.ts';
import { failedCheck, type ResultDoubt } from '../../src/core/failed-check.ts';
import type { Snapshot, WorkspaceFiles } from '../../src/core/snapshot.ts';
import { unverifiedIn } from '../../src/core/unverified.ts';

/** Why the files of a workspace are handed over only by name. */
export interface ResultRefusal extends ResultDoubt {
  /** The end of what the check printed; empty where there was none. */
  readonly printed: string;
}

export interface ChosenFiles {
  readonly workspace: string;
  readonly files: WorkspaceFiles | undefined;
  /** Who works there. */
  readonly agents: readonly string[];
}

/** As far as records say; the command looks at the files themselves and has the last word. */
export function resultRefusal(snapshot: Snapshot, chosen: ChosenFiles): ResultRefusal | null {
  const doubt = checkDoubt(snapshot, chosen) ?? deliveryDoubt(snapshot, chosen) ?? workDoubt(snapshot, chosen);
  if (doubt === null) return null;
  const { handed } = snapshot;
  return { ...doubt, printed: handed?.workspace === chosen.workspace ? (handed.printed ?? '') : '' };
}

const checkDoubt = (snapshot: Snapshot, { workspace, files }: ChosenFiles): ResultDoubt | null =>
  failedCheck(snapshot, { workspace, tree: files?.tree ?? snapshot.handed?.tree });

function deliveryDoubt({ delivery }: Snapshot, { workspace }: ChosenFiles): ResultDoubt | null {
  if (delivery?.fact.kind !== 'delivery.failed' || delivery.fact.workspace !== workspace) return null;
  const { code, message } = delivery.fact.failure;
  return isRefusedResult(code) ? { code, why: message } : null;
}

/** A merge or a check of the workflow refused it, or a review says that its best is not good enough. */
function workDoubt({ data }: Snapshot, { files, agents }: ChosenFiles): ResultDoubt | null {
  if (files?.refused !== undefined) return { code: 'RESULT_NOT_VERIFIED', why: files.refused.why };
  const unverified = unverifiedIn(data);
  const isIt = unverified !== null && agents.includes(unverified.implementation);
  return isIt ? { code: 'RESULT_NOT_VERIFIED', why: unverified.why } : null;
}
