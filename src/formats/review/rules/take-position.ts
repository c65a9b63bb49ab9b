import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import { addFindings } from './add-findings.ts';
import type { ReviewFinding, Wording } from './finding.ts';
import { isRoundOver, type Ledger, type Stance } from './ledger.ts';
import { awaiting } from './open-findings.ts';
import { findingRef } from './finding-text.ts';
import { STANCES, type StanceDraft } from './position.ts';
import { readFindings, findingField } from './read-finding.ts';
import { readStances } from './read-stance.ts';
import { readTest } from './read-test.ts';
import { readVerdict } from './read-verdict.ts';
import { settleLedger } from './settle-ledger.ts';
import { notAnObject, whyNotHeard } from './take-review.ts';
import { refusedPosition, type ReplyProblem, type TakenPosition } from './taken.ts';

/** Takes a reviewer's statement in its turn. As with a review, every meaningful part is taken. */
export function takePosition(ledger: Ledger, reviewer: string, given: unknown): TakenPosition {
  const problem = whyNotPosition(ledger, reviewer);
  if (problem !== null) return refusedPosition(ledger, problem.code, problem.message);
  const now = isRoundOver(ledger) ? { ...ledger, round: ledger.round + 1, spoke: [] } : ledger;
  const fields = isJsonObject(given) ? given : {};
  const { verdict, ranking, problems } = readVerdict(now, fields);
  const read = readStances(now, fields.stances);
  const stood = read.stances.reduce((kept, stance) => takeStance(kept, reviewer, stance), now);
  const found = readFindings(now, fields.findings);
  const added = addFindings(stood, reviewer, found.drafts);
  const test = readTest(now, fields.test);
  const { debate, round } = now;
  const spoken = { reviewer, debate, round, verdict, ranking, summary: '' };
  return {
    ledger: settleLedger({
      ...added.ledger,
      positions: [...now.positions, spoken],
      spoke: [...now.spoke, reviewer],
    }),
    added: added.ids,
    test: test.test,
    problems: [
      ...notAnObject(given),
      ...problems,
      ...read.problems,
      ...unanswered(stood, reviewer, fields),
      ...found.problems,
      ...test.problems,
    ],
  };
}

function whyNotPosition(ledger: Ledger, reviewer: string): ReplyProblem | null {
  const stranger = whyNotHeard(ledger, reviewer);
  if (stranger !== null) return stranger;
  if (ledger.outcome !== null) return { code: 'DEBATE_OVER', message: 'The debate is over.' };
  if (isRoundOver(ledger)) return null;
  if (ledger.round === 0) {
    return { code: 'REVIEWS_MISSING', message: 'Not all first reviews are in yet; the debate begins then.' };
  }
  if (!ledger.spoke.includes(reviewer)) return null;
  return { code: 'SPOKEN_ALREADY', message: `You have spoken in round ${ledger.round}; it is the turn of others.` };
}

/** A rewording takes effect at once, and all others have to judge it again; the earlier wording is kept. */
function takeStance(ledger: Ledger, reviewer: string, draft: StanceDraft): Ledger {
  const finding = ledger.findings.find(({ id }) => id === draft.finding);
  if (finding === undefined) return ledger;
  const reworded = draft.change === null ? finding : { ...finding, ...draft.change };
  const isNew = WORDS.some((key) => reworded[key] !== finding[key]);
  const next = isNew ? { ...reworded, earlier: [...finding.earlier, wordingOf(ledger, finding)] } : finding;
  const { debate, round } = ledger;
  const stance: Stance = {
    finding: finding.id,
    reviewer,
    debate,
    round,
    stance: draft.stance === 'revise' && !isNew ? 'agree' : draft.stance,
    reason: draft.reason,
    wording: next.earlier.length,
  };
  const findings = ledger.findings.map((one) => (one === finding ? next : one));
  return { ...ledger, findings, stances: [...ledger.stances, stance] };
}

const WORDS = ['severity', 'priority', 'claim', 'change'] as const;

function wordingOf({ stances }: Ledger, { id, by, severity, priority, claim, change }: ReviewFinding): Wording {
  const rewordedBy = stances.findLast((one) => one.finding === id && one.stance === 'revise')?.reviewer;
  return { by: rewordedBy ?? by, severity, priority, claim, change };
}

/** Findings that it owes a stance on and did not name. */
function unanswered(ledger: Ledger, reviewer: string, { stances }: JsonObject): readonly ReplyProblem[] {
  const named = new Set(
    (Array.isArray(stances) ? stances : []).map((one) =>
      isJsonObject(one) ? findingField(one.finding).toUpperCase() : '',
    ),
  );
  const missing = awaiting(ledger, reviewer)
    .filter(({ id }) => !named.has(id))
    .map(findingRef);
  if (missing.length === 0) return [];
  return [
    {
      code: 'STANCE_MISSING',
      message: `A stance is missing on ${missing.join(', ')}: give one of ${STANCES.join(', ')}.`,
    },
  ];
}
