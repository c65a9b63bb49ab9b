import type { LimitName } from '../../../src/core/record/limit-fact.ts';
import type { Limits } from '../../../src/core/model/workflow.ts';
import type { Snapshot } from '../../../src/core/fold/snapshot.ts';
import type { LimitWishes } from '../../../src/protocol/operations/wishes.ts';
import { liveRunsOf, type RunTree } from '../../model/run-tree.ts';

/** A limit of a run as a field: by the name and in the unit of the command line. */
export interface LimitField {
  readonly limit: LimitName;
  /** As the request has it. */
  readonly flag: keyof LimitWishes;
  readonly label: string;
  /** Null: there is none. */
  readonly present: number | null;
  /** It was met, and the run is paused because of it. */
  readonly isMet: boolean;
}

const FIELDS: readonly {
  readonly limit: LimitName;
  readonly flag: keyof LimitWishes;
  readonly label: string;
  readonly per: number;
}[] = [
  { limit: 'usd', flag: 'usd', label: 'Money, in dollars', per: 1 },
  { limit: 'tokens', flag: 'tokens', label: 'Tokens', per: 1 },
  { limit: 'durationMs', flag: 'duration', label: 'Time, in seconds', per: 1000 },
  { limit: 'iterations', flag: 'iterations', label: 'Visits of one state', per: 1 },
  { limit: 'toolRounds', flag: 'toolRounds', label: 'Calls of a model in one turn', per: 1 },
];

export function limitFields(tree: RunTree): readonly LimitField[] {
  const all = liveRunsOf(tree).map(({ snapshot }) => snapshot);
  const root = tree.runs.get(tree.root)?.snapshot;
  return FIELDS.map(({ limit, flag, label, per }) => {
    const met = all.find((one) => isMetBy(one, limit));
    const allowed = met?.paused?.allowed ?? present(root?.limits, limit);
    return { limit, flag, label, present: allowed === null ? null : allowed / per, isMet: met !== undefined };
  });
}

const isMetBy = ({ paused }: Snapshot, limit: LimitName): boolean => paused?.limit === limit;

const present = (limits: Limits | undefined, limit: LimitName): number | null => limits?.[limit] ?? null;

export interface RaisedLimits {
  readonly limits: LimitWishes;
  readonly problem: string | null;
}

/** The typed limits, by flag. A limit can only be raised, and one that was met must be. */
export function raisedLimits(fields: readonly LimitField[], typed: Readonly<Record<string, string>>): RaisedLimits {
  const limits: Partial<Record<keyof LimitWishes, number>> = {};
  for (const { flag, label, present: now, isMet } of fields) {
    const text = (typed[flag] ?? '').trim();
    if (text === '' && isMet) return { limits, problem: `The limit that was met has to be raised: ${label}.` };
    if (text === '') continue;
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0) return { limits, problem: `A number is wanted: ${label}.` };
    if (now !== null && value <= now) return { limits, problem: `It is ${now} now and can only be raised: ${label}.` };
    limits[flag] = value;
  }
  return { limits, problem: null };
}
