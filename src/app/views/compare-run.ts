import { Fault } from '../../core/fault.ts';
import { changeViews } from '../../host/deliver/change-view.ts';
import type { CompareView } from '../../protocol/review/compare-view.ts';
import { foldCompare } from '../../protocol/review/fold-compare.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Looking } from './looking.ts';
import { findReview, type FoundReview } from './review/find-review.ts';
import { ImplementationFiles, type BetweenTwo } from './review/implementation-files.ts';
import { wirePatch } from './wire-patch.ts';

export type Pair = readonly [one: string, other: string];

/** Implementations of a review side by side. */
export async function compareRun(looking: Looking, named: string): Promise<CompareView> {
  return await withFiles(looking, named, async ({ records, info }, files) => {
    const ids = foldCompare(records, info).implementations.map(({ id }) => id);
    return foldCompare(records, { ...info, sizes: await files?.sizes(ids) });
  });
}

export interface ComparedPair {
  readonly run: string;
  readonly pair: Pair;
  readonly diff: BetweenTwo;
}

/** What is different between two of them. */
export async function comparePair(looking: Looking, named: string, pair: Pair): Promise<ComparedPair> {
  return await withFiles(looking, named, async ({ records, info }, files) => {
    if (files === null) throw new Fault('FILES_NONE', `Run ${info.run} has no files.`);
    const view = foldCompare(records, info);
    const ids = view.implementations.map(({ id }) => id);
    return { run: view.run, pair, diff: await files.between(...pair, ids) };
  });
}

/** For programs. */
export function pairLine({ run, pair: [from, to], diff }: ComparedPair) {
  const { before, after, changes, stat, patch } = diff;
  const { added, removed } = stat;
  const files = changeViews(changes, stat);
  return { kind: 'compare-diff', run, from, to, before, after, files, added, removed, ...wirePatch(patch) } as const;
}

async function withFiles<Result>(
  { store, caller }: Looking,
  named: string,
  work: (found: FoundReview, files: ImplementationFiles | null) => Promise<Result>,
): Promise<Result> {
  const found = await findReview(store.journal, named, caller.folder);
  const workspaces = createWorkspaces({ home: store.home });
  try {
    const trees = await workspaces.store(found.info.project);
    return await work(found, await ImplementationFiles.open(store, trees, found));
  } finally {
    await workspaces.close();
  }
}
