import type { ChoiceDetail } from '../../../core/record/question-fact.ts';
import { convergence } from './debate-end.ts';
import { reviewChoices } from './decide-choices.ts';
import { reviewDecisionText, questionText, synthesisText } from './decide-text.ts';
import type { DecideBy, Deciding } from './deciding.ts';
import { ENGINE, type ReviewFinding } from './finding.ts';
import { findingsFor } from './findings-for.ts';
import { hybridFlaws, isGrave, isSevere } from './hybrid-flaws.ts';
import { lastStance } from './last-stance.ts';
import { liveImplementations, liveReviewers, type Dissent, type Ledger } from './ledger.ts';
import { rankByReviewers, rankByTests } from './rank.ts';
import { readChoice, readSynthesis, type Choice, type HybridPart, type Synthesis } from './read-choice.ts';
import type { ReviewVerdict } from './review.ts';
import { isAgainst } from './position.ts';

export interface ReviewDecision {
  readonly decision: ReviewVerdict;
  /** Null only when there is nothing to choose from. */
  readonly best: string | null;
  /** The implementations to revise, or the approved one. */
  readonly chosen: readonly string[];
  /** A sentence or two, with the numbers. */
  readonly reason: string;
  /** A synthesis took part in it: it is never called a consensus. */
  readonly isSynthesis: boolean;
  readonly dissent: readonly Dissent[];
  /** The parts of several implementations that a synthesis would combine. */
  readonly parts: readonly HybridPart[];
  /** Must be asked before this is final. */
  readonly needs: 'person' | 'synthesis' | null;
  /** The question for the person; empty if none. */
  readonly question: string;
  /** The answers that the person can give; empty if none is asked. */
  readonly choices: readonly ChoiceDetail[];
  /** The question for the synthesiser; empty if none. */
  readonly say: string;
}

/** Decides a debate as far as it can be computed, and names the one to ask about the rest. */
export function decideReview(ledger: Ledger, by: DecideBy): ReviewDecision {
  const ranking = by.pick === 'tests' ? rankByTests(ledger, by.evidence) : rankByReviewers(ledger, by.evidence);
  const facts: Deciding = { ledger, result: convergence(ledger), ranking, by };
  const opinion = opinionOf(facts);
  const needs = needsOf(facts, opinion);
  const best = opinion.best ?? ranking[0]?.implementation ?? null;
  const hybrid = hybridOf(facts, opinion);
  const red = against(facts, opinion, { best, isHybrid: hybrid.isTaken });
  const decision = red.length === 0 ? opinion.decision : 'REVISE_BEST';
  const live = liveImplementations(ledger);
  const chosen = decision === 'REVISE_ALL' ? live : live.filter((one) => one === best);
  return {
    decision,
    best,
    chosen,
    reason: reviewDecisionText(facts, { ...opinion, best, chosen, red, unmixed: hybrid.unmixed }),
    isSynthesis: (opinion.decidedBy === 'synthesis' && red.length === 0) || opinion.bestBy === 'synthesis',
    dissent: facts.result.dissent,
    parts: hybrid.parts,
    ...asking(facts, needs),
  };
}

const asking = (
  facts: Deciding,
  needs: ReviewDecision['needs'],
): Pick<ReviewDecision, 'needs' | 'question' | 'choices' | 'say'> => ({
  needs,
  question: needs === 'person' ? questionText(facts) : '',
  choices: needs === 'person' ? reviewChoices(facts) : [],
  say: needs === 'synthesis' ? synthesisText(facts) : '',
});

interface Opinion {
  readonly decision: ReviewVerdict;
  readonly decidedBy: 'reviewers' | 'person' | 'synthesis' | 'rule';
  readonly best: string | null;
  readonly bestBy: 'person' | 'synthesis' | 'ranking' | 'tests';
  readonly person: Choice;
  readonly synthesis: Synthesis;
}

/** Whose word counts: a person's, else the reviewers' where they agree, else a synthesis, else the careful rule. */
function opinionOf({ ledger, result, by }: Deciding): Opinion {
  const live = liveImplementations(ledger);
  const person = readChoice(by.asked, live);
  const synthesis = readSynthesis(by.synthesis, live);
  const common = { person, synthesis, ...bestOf(by.pick, person, synthesis) };
  if (person.decision !== null) return { ...common, decision: person.decision, decidedBy: 'person' };
  if (result.verdict !== null) return { ...common, decision: result.verdict, decidedBy: 'reviewers' };
  if (synthesis.decision !== null) return { ...common, decision: synthesis.decision, decidedBy: 'synthesis' };
  return { ...common, decision: 'REVISE_BEST', decidedBy: 'rule' };
}

type Best = Pick<Opinion, 'best' | 'bestBy'>;

function bestOf(pick: DecideBy['pick'], person: Choice, synthesis: Synthesis): Best {
  if (person.best !== null) return { best: person.best, bestBy: 'person' };
  if (pick === 'synthesis' && synthesis.best !== null) return { best: synthesis.best, bestBy: 'synthesis' };
  return { best: null, bestBy: pick === 'tests' ? 'tests' : 'ranking' };
}

/** A synthesis that failed is not asked for again; a person whose answer fits nothing is. */
function needsOf(facts: Deciding, opinion: Opinion): ReviewDecision['needs'] {
  return (
    verdictNeeds(facts, opinion) ?? (liveImplementations(facts.ledger).length < 2 ? null : bestNeeds(facts, opinion))
  );
}

const isOwed = ({ synthesis }: DecideBy): boolean => synthesis === undefined || synthesis === null;

function verdictNeeds({ result, by }: Deciding, { person }: Opinion): ReviewDecision['needs'] {
  if (result.verdict !== null || person.decision !== null) return null;
  if (by.pick === 'person' || result.kind === 'nobody') return 'person';
  return isOwed(by) ? 'synthesis' : null;
}

function bestNeeds({ by }: Deciding, { decision, person }: Opinion): ReviewDecision['needs'] {
  if (by.pick === 'synthesis') return isOwed(by) && person.best === null ? 'synthesis' : null;
  return by.pick === 'person' && decision !== 'REVISE_ALL' && person.best === null ? 'person' : null;
}

interface Hybrid {
  /** Files of several are put together, and nothing is against it. */
  readonly isTaken: boolean;
  readonly parts: readonly HybridPart[];
  /** Why it is not made, or did not do; empty when nothing speaks against it. */
  readonly unmixed: string;
}

/** The parts that a synthesis would combine. With a grave finding in them, or after a failed attempt, the best one is used alone. */
function hybridOf({ ledger, by }: Deciding, { decision, decidedBy, bestBy, synthesis }: Opinion): Hybrid {
  const parts = bestBy === 'synthesis' ? synthesis.parts : [];
  if (parts.length < 2) return { isTaken: false, parts, unmixed: '' };
  const isApproved = decision === 'APPROVE' && decidedBy !== 'person';
  const unmixed = by.unmixed || (isApproved ? hybridFlaws(ledger, parts).join('; ') : '');
  return unmixed === '' ? { isTaken: true, parts, unmixed } : { isTaken: false, parts: [], unmixed };
}

interface Approved {
  readonly best: string | null;
  readonly isHybrid: boolean;
}

/**
 * Reasons that outweigh an approval, except a person's: red tests, the engine's own findings, grave findings that all agree on, and
 * unanswered ones.
 */
function against(facts: Deciding, opinion: Opinion, { best, isHybrid }: Approved): readonly string[] {
  const { ledger, by } = facts;
  if (best === null || opinion.decision !== 'APPROVE' || opinion.decidedBy === 'person') return [];
  const isRed = Object.hasOwn(by.evidence, best) && by.evidence[best]?.isGreen === false;
  const stands = findingsFor(ledger, best).findings.flatMap((finding) => {
    if (finding.by === ENGINE) return [`${finding.id} of the engine stands (${finding.claim})`];
    if (isUnanswered(facts, finding)) return [`${finding.id} of ${finding.by} is open (${finding.claim})`];
    // A reviewer approves the one it ranks first; together they may pick another, in spite of their common findings against it.
    return isGrave(finding) && !isHybrid ? [`all agree that ${finding.id} stands (${finding.claim})`] : [];
  });
  return isRed ? ['its tests are red', ...stands] : stands;
}

/** A finding outlives its author's leaving: a last reviewer alone approves only against findings that it rejects itself. */
function isUnanswered({ ledger, result }: Deciding, finding: ReviewFinding): boolean {
  const [alone] = liveReviewers(ledger);
  if (result.kind !== 'single' || alone === undefined || finding.closed !== null || !isSevere(finding)) return false;
  return !isAgainst(lastStance(ledger, finding, alone)?.stance);
}
