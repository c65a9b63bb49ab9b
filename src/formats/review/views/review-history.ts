import type { Fact, JournalRecord } from '../../../core/record/fact.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import type { ReviewDecision } from '../rules/decide.ts';
import type { Ledger } from '../rules/ledger.ts';
import { dataAfter } from '../../../core/fold/data-after.ts';
import { countingRecords } from '../../../protocol/history/lineage.ts';
import { decisionIn, ledgerIn } from './review-data.ts';

/** What the data of the run do not say any more: how earlier debates ended, and what was merged. */
export interface ReviewHistory {
  /** By debate: the last ledger of it, and the last decision that followed from it. */
  readonly debates: readonly PastDebate[];
  /** How the best one is found; null before that was looked at. */
  readonly pick: string | null;
  /** Merges of implementations, in order. */
  readonly merges: readonly Merge[];
  /** What the reviewers were first given: the changes of each implementation against what it began with. */
  readonly firstDiffs: JsonObject;
}

export interface PastDebate {
  readonly debate: number;
  readonly ledger: Ledger;
  readonly decision: ReviewDecision | null;
}

export interface Merge {
  readonly agent: string;
  /** Null while it goes on. */
  readonly outcome: Outcome | null;
}

/** Only what still counts: a run that was put back tells of its debates as if it had never gone further. */
export function reviewHistory(records: readonly JournalRecord[]): ReviewHistory {
  const debates = new Map<number, PastDebate>();
  const merges = new Map<string, Merge>();
  let pick: string | null = null;
  const diffs = new Map<string, Json>();
  let now = 1;
  let data: JsonObject = {};
  for (const { fact } of countingRecords(records)) {
    const before = data;
    data = dataAfter(before, fact);
    const set = changedIn(before, data);
    const ledger = ledgerIn(set);
    if (ledger !== null) {
      now = ledger.debate;
      debates.set(now, { debate: now, decision: debates.get(now)?.decision ?? null, ledger });
    }
    const [decision, past] = [decisionIn(set), debates.get(now)];
    if (decision !== null && past !== undefined) debates.set(now, { ...past, decision });
    // Later packs tell only of what changed since.
    for (const [id, diff] of Object.entries(diffsIn(set))) if (!diffs.has(id)) diffs.set(id, diff);
    pick = pickIn(fact) ?? pick;
    learnMerge(merges, fact);
  }
  return { debates: [...debates.values()], pick, merges: [...merges.values()], firstDiffs: Object.fromEntries(diffs) };
}

function changedIn(before: JsonObject, after: JsonObject): JsonObject {
  if (before === after) return {};
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value));
}

function diffsIn({ pack }: JsonObject): JsonObject {
  const diffs = isJsonObject(pack) ? pack['diffs'] : undefined;
  return isJsonObject(diffs) ? diffs : {};
}

function pickIn(fact: Fact): string | null {
  if (fact.kind !== 'task.started' || fact.work.kind !== 'compute' || fact.work.program !== 'review.decide')
    return null;
  const { input } = fact.work;
  const pick = isJsonObject(input) ? input['pick'] : null;
  return typeof pick === 'string' ? pick : null;
}

function learnMerge(merges: Map<string, Merge>, fact: Fact): void {
  if (fact.kind === 'task.started' && fact.work.kind === 'merge' && fact.work.agent !== null) {
    merges.set(fact.task, { agent: fact.work.agent, outcome: null });
  } else if (fact.kind === 'task.ended') {
    const merge = merges.get(fact.task);
    if (merge !== undefined) merges.set(fact.task, { ...merge, outcome: fact.outcome });
  }
}
