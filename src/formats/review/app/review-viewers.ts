import type { RunInfo } from '../../../journal/port.ts';
import type { Looking } from '../../../app/world/store.ts';
import { foldDebate } from '../views/fold-debate.ts';
import { comparePair, compareRun, findReview, type Pair, pairLine } from './compare-run.ts';

export const REVIEW_VIEWERS = {
  debate: async ({ store, caller }: Looking, { run }: RunInfo) => {
    const { records, info } = await findReview(store.journal, run, caller.folder);
    return foldDebate(records, { title: info.title, driven: info.driven });
  },
  compare: async (looking: Looking, { run }: RunInfo, { between }: { readonly between?: Pair }) =>
    between === undefined ? await compareRun(looking, run) : pairLine(await comparePair(looking, run, between)),
};
