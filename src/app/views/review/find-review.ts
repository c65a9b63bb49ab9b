import type { JournalRecord } from '../../../core/fact.ts';
import { Fault, isFault } from '../../../core/fault.ts';
import { foldRecords } from '../../../core/fold.ts';
import { bodyHash, type RunId } from '../../../core/ids.ts';
import type { Definition } from '../../../core/role.ts';
import type { Journal, RunInfo } from '../../../journal/port.ts';
import { findRun } from '../../runs/find-run.ts';

export interface FoundReview {
  readonly info: RunInfo;
  readonly records: readonly JournalRecord[];
}

/** The review that a person means. A run that is none says so, and names those below it that are. */
export async function findReview(journal: Journal, named: string, folder: string): Promise<FoundReview> {
  const info = await findRun(journal, named, folder);
  const records = await journal.read(info.run);
  if (await isReview(journal, records)) return { info, records };
  const below = await reviewsBelow(journal, info.run);
  const [first] = below;
  throw new Fault('REVIEW_NONE', `Run ${info.run} is no review: it has no reviewers and no debate.`, {
    hint: first === undefined ? `See what it is: troupe show ${info.run}` : `There is one below it: ${first}`,
    facts: { run: info.run, reviews: below },
  });
}

async function isReview(journal: Journal, records: readonly JournalRecord[]): Promise<boolean> {
  try {
    const { workflow } = (await journal.getBody(bodyHash(foldRecords(records).definition))) as unknown as Definition;
    return workflow.dialect === 'review';
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

async function reviewsBelow(journal: Journal, run: RunId): Promise<readonly RunId[]> {
  const found: RunId[] = [];
  for (const { run: child } of await journal.runs({ parent: run })) {
    if (await isReview(journal, await journal.read(child))) found.push(child);
    else found.push(...(await reviewsBelow(journal, child)));
  }
  return found;
}
