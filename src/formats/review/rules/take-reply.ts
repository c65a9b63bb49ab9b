import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { dropReviewer } from './drop-reviewer.ts';
import type { Ledger } from './ledger.ts';
import { roundName } from './round-name.ts';
import { markVerified, takeTest, type TestResult } from './take-evidence.ts';
import { takePosition } from './take-position.ts';
import { takeReview } from './take-review.ts';
import { withFlaws, type ReplyProblem, type ReplyProblemCode, type TakenPosition } from './taken.ts';

export interface ReviewerReply {
  readonly reviewer: string;
  readonly kind: 'review' | 'position';
  /** The structured reply; null if it is unusable. */
  readonly given: Json;
  /** Why it did not answer; null where it did. */
  readonly failed: string | null;
}

/** A reply with what the files and the engine say about it. */
export interface GatheredReply extends ReviewerReply {
  /** By the id of a new finding: whether its place exists. */
  readonly places: Readonly<Record<string, boolean>>;
  /** The result of the test that it proposed. */
  readonly test: TestResult | null;
}

/**
 * Puts a reviewer's reply into the ledger. Its author has seen the errors once; remaining errors are left out and named, and findings
 * without an existing place count as unverified.
 */
export function takeReply(
  ledger: Ledger,
  reply: GatheredReply,
): { readonly ledger: Ledger; readonly note: string | null } {
  const { reviewer, failed, places, test } = reply;
  if (failed !== null) return { ledger: dropReviewer(ledger, reviewer, failed).ledger, note: null };
  const read = readReply(ledger, reply);
  const flaws = canBeCorrected(read.problems) ? read.problems.map(({ message }) => message) : [];
  const heard = withFlaws(markVerified(read.ledger, places), reviewer, flaws);
  const note = `${reviewer}, ${roundName(read.ledger)}: what is wrong in it does not count. ${flaws.join(' ')}`;
  return {
    ledger: test === null ? heard : takeTest(heard, reviewer, test).ledger,
    note: flaws.length === 0 ? null : note,
  };
}

/** A reply as the ledger understands it, with everything that is wrong in it. */
export function readReply(ledger: Ledger, { reviewer, kind, given }: Omit<ReviewerReply, 'failed'>): TakenPosition {
  const plain = withPlainPlaces(given);
  return kind === 'review' ? takeReview(ledger, reviewer, plain) : takePosition(ledger, reviewer, plain);
}

/** No other reply of the same reviewer would change these. */
const FINAL: ReadonlySet<ReplyProblemCode> = new Set([
  'REVIEWER_UNKNOWN',
  'REVIEWER_OUT',
  'SPOKEN_ALREADY',
  'REVIEWS_OVER',
  'REVIEWS_MISSING',
  'DEBATE_OVER',
]);

export const canBeCorrected = (problems: readonly ReplyProblem[]): boolean =>
  problems.every(({ code }) => !FINAL.has(code));

/** `src/a.ts:12` as the name of a file is a file and a line. */
function withPlainPlaces(given: Json): Json {
  if (!isJsonObject(given) || !Array.isArray(given['findings'])) return given;
  const findings = given['findings'].map((one: Json): Json => {
    const file = isJsonObject(one) ? one['file'] : null;
    const [, path, line] = typeof file === 'string' ? (/^(.+?):(\d+)(?:[-:]\d+)?$/.exec(file.trim()) ?? []) : [];
    if (!isJsonObject(one) || path === undefined || line === undefined) return one;
    return { ...one, file: path, line: one['line'] ?? Number(line) };
  });
  return { ...given, findings };
}
