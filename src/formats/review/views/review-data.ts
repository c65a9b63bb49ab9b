import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { ReviewDecision } from '../rules/decide.ts';
import type { Ledger } from '../rules/ledger.ts';
import { unverifiedIn, type Unverified } from '../../../core/look/unverified.ts';
import type { LostImplementation } from './answers/lost.ts';

export type { LostImplementation } from './answers/lost.ts';

/** The data of a run in which many implement and some review, as its workflow keeps them (`src/formats/review/parse`). */
export interface ReviewData {
  readonly task: string;
  /** The user's command; null where none was named. */
  readonly verify: string | null;
  /** Null before the run has begun with anything. */
  readonly ledger: Ledger | null;
  readonly decision: ReviewDecision | null;
  /** What the engine saw, by implementation. */
  readonly evidence: Readonly<Record<string, JsonObject>>;
  readonly lost: readonly LostImplementation[];
  readonly pack: JsonObject | null;
  readonly revisions: number;
  readonly unverified: Unverified | null;
}

/** The engine's own programs write them, so what has the shape of one is one. */
export function reviewData(data: JsonObject): ReviewData {
  const { task, verify, evidence, lost, revisions } = data;
  return {
    task: typeof task === 'string' ? task : task === undefined ? '' : JSON.stringify(task),
    verify: typeof verify === 'string' && verify !== '' ? verify : null,
    ledger: ledgerIn(data),
    decision: decisionIn(data),
    evidence: isJsonObject(evidence) ? objectsIn(evidence) : {},
    lost: Array.isArray(lost) ? (lost as readonly Json[]).flatMap(lostIn) : [],
    pack: isJsonObject(data['pack']) ? data['pack'] : null,
    revisions: typeof revisions === 'number' ? revisions : 0,
    unverified: unverifiedIn(data),
  };
}

export function ledgerIn({ ledger }: JsonObject): Ledger | null {
  const isLedger = isJsonObject(ledger) && ['findings', 'positions', 'reviewers'].every((key) => key in ledger);
  return isLedger ? (ledger as unknown as Ledger) : null;
}

export function decisionIn({ decision }: JsonObject): ReviewDecision | null {
  return isJsonObject(decision) && typeof decision['decision'] === 'string'
    ? (decision as unknown as ReviewDecision)
    : null;
}

const objectsIn = (given: JsonObject): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([id, one]) => (one !== undefined && isJsonObject(one) ? [[id, one]] : [])),
  );

function lostIn(given: Json): readonly LostImplementation[] {
  if (!isJsonObject(given)) return [];
  const { id, outcome, reason } = given;
  if (typeof id !== 'string' || typeof outcome !== 'string') return [];
  return [{ id, outcome, reason: typeof reason === 'string' ? reason : null }];
}
