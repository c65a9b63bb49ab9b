import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { unverifiedIn, type Unverified } from '../../core/unverified.ts';
import { agentIn } from './named-result.ts';

interface OfWorkspace {
  readonly run: RunId;
  readonly workspace: string;
}

/** What a run says against the files of a workspace; null where nothing does. */
export async function unverifiedResult(journal: Journal, { run, workspace }: OfWorkspace): Promise<Unverified | null> {
  const snapshot = foldRecords(await journal.read(run));
  const unverified = unverifiedIn(snapshot.data);
  if (unverified === null) return null;
  return (await agentIn(journal, snapshot, workspace)) === unverified.implementation ? unverified : null;
}
