import type { JsonObject } from '../../../core/model/json.ts';
import { liveImplementations, type Ledger } from './ledger.ts';
import { VERDICTS, type ReviewVerdict } from './review.ts';
import { findingField } from './read-finding.ts';
import type { ReplyProblem } from './taken.ts';

export interface ReadVerdict {
  readonly verdict: ReviewVerdict | null;
  readonly ranking: readonly string[];
  readonly problems: readonly ReplyProblem[];
}

/** Reads the common part of reviews and positions: a verdict and a ranking of everything judged. */
export function readVerdict(ledger: Ledger, fields: JsonObject): ReadVerdict {
  const said = findingField(fields.verdict)
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const verdict = VERDICTS.find((one) => one === said) ?? null;
  const problems: ReplyProblem[] = [];
  if (verdict === null) {
    const what = said === '' ? 'There is no verdict' : `"${findingField(fields.verdict)}" is not a verdict`;
    problems.push({ code: 'VERDICT_UNKNOWN', message: `${what}. Give one of ${VERDICTS.join(', ')}.` });
  }
  const ranking = readRanking(ledger, fields.ranking, problems);
  return { verdict, ranking, problems };
}

/** One that is not judged now may be named; it only has no place. */
function readRanking(ledger: Ledger, given: unknown, problems: ReplyProblem[]): readonly string[] {
  const live = liveImplementations(ledger);
  const named: readonly string[] = Array.isArray(given) ? given.map((one) => findingField(one)) : [];
  const ranking: string[] = [];
  for (const one of named) {
    if (ranking.includes(one)) {
      problems.push({ code: 'RANKING_TWICE', message: `The ranking has ${one} twice.` });
    } else if (live.includes(one)) {
      ranking.push(one);
    } else if (!ledger.implementations.includes(one)) {
      const message = `The ranking names "${one}"; there are ${live.join(', ')}.`;
      problems.push({ code: 'RANKING_UNKNOWN', message });
    }
  }
  const missing = live.filter((one) => !ranking.includes(one));
  // A single one needs no ranking.
  if (missing.length === 0 || live.length === 1) return ranking.length === 0 ? live : ranking;
  problems.push({ code: 'RANKING_INCOMPLETE', message: `The ranking leaves out ${missing.join(', ')}.` });
  return ranking;
}
