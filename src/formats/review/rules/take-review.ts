import { isJsonObject } from '../../../core/model/json.ts';
import { addFindings } from './add-findings.ts';
import { liveReviewers, type Ledger } from './ledger.ts';
import { readFindings, findingField } from './read-finding.ts';
import { readVerdict } from './read-verdict.ts';
import { settleLedger } from './settle-ledger.ts';
import { refusedPosition, type ReplyProblem, type TakenPosition } from './taken.ts';

/**
 * A reviewer's first review, made without knowing of the others. `given` may be anything: every meaningful part is taken, the rest is
 * returned as problems. A caller that wants it fixed first continues with the ledger it had.
 */
export function takeReview(ledger: Ledger, reviewer: string, given: unknown): TakenPosition {
  const problem = whyNotReview(ledger, reviewer);
  if (problem !== null) return refusedPosition(ledger, problem.code, problem.message);
  const fields = isJsonObject(given) ? given : {};
  const { verdict, ranking, problems } = readVerdict(ledger, fields);
  const found = readFindings(ledger, fields.findings);
  const added = addFindings(ledger, reviewer, found.drafts);
  const { debate, round } = ledger;
  const spoken = { reviewer, debate, round, verdict, ranking, summary: findingField(fields.summary) };
  return {
    ledger: settleLedger({
      ...added.ledger,
      positions: [...ledger.positions, spoken],
      spoke: [...ledger.spoke, reviewer],
    }),
    added: added.ids,
    test: null,
    problems: [...notAnObject(given), ...problems, ...found.problems],
  };
}

function whyNotReview(ledger: Ledger, reviewer: string): ReplyProblem | null {
  const stranger = whyNotHeard(ledger, reviewer);
  if (stranger !== null) return stranger;
  if (ledger.round > 0 || ledger.debate > 1) {
    return { code: 'REVIEWS_OVER', message: 'The first reviews are over. Hand in a position.' };
  }
  if (!ledger.spoke.includes(reviewer)) return null;
  return { code: 'SPOKEN_ALREADY', message: 'Your review is in already.' };
}

/** Unknown reviewers and those that are out are not heard. */
export function whyNotHeard(ledger: Ledger, reviewer: string): ReplyProblem | null {
  if (!ledger.reviewers.includes(reviewer)) {
    const message = `There is no reviewer "${reviewer}". There are ${ledger.reviewers.join(', ')}.`;
    return { code: 'REVIEWER_UNKNOWN', message };
  }
  if (liveReviewers(ledger).includes(reviewer)) return null;
  return { code: 'REVIEWER_OUT', message: `${reviewer} no longer takes part.` };
}

export const notAnObject = (given: unknown): readonly ReplyProblem[] =>
  isJsonObject(given) ? [] : [{ code: 'REPLY_INVALID', message: 'The reply must be an object with its fields.' }];
