import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { dropImplementation } from '../rules/drop-reviewer.ts';
import type { Ledger } from '../rules/ledger.ts';
import { markVerified } from '../rules/take-evidence.ts';
import { takePosition } from '../rules/take-position.ts';
import { takeReview } from '../rules/take-review.ts';
import type { ReplyProblem, ReplyProblemCode, TakenPosition } from '../rules/taken.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { cite } from './cite.ts';
import { withEngineFindings } from './engine-findings.ts';
import type { PackGiven, TakeInput } from './review-input.ts';

export interface GivenReply {
  readonly ledger: Ledger;
  readonly pack: PackGiven;
  readonly reviewer: string;
  readonly kind: TakeInput['kind'];
  readonly given: Json;
}

/** A reply as the ledger understands it, with everything that is wrong in it, places that do not exist among that. */
export async function readReply(store: TreeStore, reply: GivenReply): Promise<TakenPosition> {
  const { ledger, pack, reviewer, kind } = reply;
  const given = withPlainPlaces(reply.given);
  const read = kind === 'review' ? takeReview(ledger, reviewer, given) : takePosition(ledger, reviewer, given);
  const added = read.ledger.findings.filter(({ id }) => read.added.includes(id));
  const cited = await cite(store, pack, added);
  const wrong = cited.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return {
    ...read,
    ledger: markVerified(read.ledger, Object.fromEntries(cited.map(({ draft, isVerified }) => [draft.id, isVerified]))),
    problems: [...read.problems, ...wrong.map((message) => ({ code: 'PLACE_UNKNOWN' as const, message }))],
  };
}

/** The ledger with what the engine knows by itself: the implementations that failed, and what it holds against the others. */
export function begunLedger(ledger: Ledger, pack: PackGiven): Ledger {
  const isFirst = ledger.debate === 1 && ledger.round === 0;
  const lost = isFirst ? ledger.implementations.filter((id) => !Object.hasOwn(pack.trees, id)) : [];
  const live = lost.reduce((now, id) => dropImplementation(now, id, 'It did not come out well.').ledger, ledger);
  return withEngineFindings(live, pack);
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
