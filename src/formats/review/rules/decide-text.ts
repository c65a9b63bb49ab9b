import type { Deciding } from './deciding.ts';
import { findingRef, findingSentence } from './finding-text.ts';
import { findingsFor } from './findings-for.ts';
import { liveImplementations, liveReviewers, type Convergence, type Dissent, type Ledger } from './ledger.ts';
import type { Ranked } from './rank.ts';
import { VERDICTS, type ReviewVerdict } from './review.ts';
import { roundName } from './round-name.ts';

/** The decision, and its maker. */
export interface Decided {
  readonly decision: ReviewVerdict;
  readonly decidedBy: 'reviewers' | 'person' | 'synthesis' | 'rule';
  readonly best: string | null;
  readonly bestBy: 'person' | 'synthesis' | 'ranking' | 'tests';
  readonly chosen: readonly string[];
  readonly synthesis: { readonly reason: string };
  /** The engine's reasons against an approval. */
  readonly red: readonly string[];
  /** Why files of several are not put together; empty when nothing speaks against it. */
  readonly unmixed: string;
}

/** Why it was decided so, with the numbers: for the journal and for people. */
export function reviewDecisionText(facts: Deciding, decided: Decided): string {
  const { best, red, chosen, unmixed } = decided;
  const parts = [
    convergenceText(facts),
    ...flawTexts(facts.ledger),
    verdictText(decided),
    bestText(facts, decided),
    unmixed === '' ? '' : `What was to be put together of several is left: ${unmixed.replace(/\.$/, '')}.`,
    red.length === 0 ? '' : `${best ?? 'It'} has to be revised all the same: ${red.join('; ')}.`,
    leftText(facts.ledger, chosen),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function convergenceText({ ledger, result }: Deciding): string {
  const live = liveReviewers(ledger);
  const people = `${live.length} reviewers ${whenText(ledger)}`;
  const texts: Readonly<Record<Convergence['kind'], string>> = {
    consensus: `Consensus of ${people}: ${result.verdict ?? ''}.`,
    single: `${live.join('')} alone says ${result.verdict ?? 'nothing of use'}, which is no consensus.`,
    nobody: 'No reviewer is left.',
    stalemate: `No consensus of ${people}: a stalemate.`,
    'last-round': `No consensus of ${people}, the last one.`,
    open: `No consensus of ${people}: the debate is still open.`,
  };
  return texts[result.kind];
}

const flawTexts = ({ positions }: Ledger): readonly string[] =>
  positions.flatMap(({ flaws, reviewer, ...when }) =>
    flaws === undefined
      ? []
      : [`The ${roundName(when)} of ${reviewer} counts without the part that is wrong: ${flaws.join(' ')}`],
  );

const whenText = ({ round, debate }: Ledger): string =>
  `${round === 0 ? 'on their first reviews' : `after round ${round}`}${debate > 1 ? ` of final review ${debate - 1}` : ''}`;

function verdictText({ decision, decidedBy, synthesis }: Decided): string {
  if (decidedBy === 'person') return `A person decided: ${decision}.`;
  if (decidedBy === 'synthesis') return `A synthesis, which is no consensus, says ${decision}: ${synthesis.reason}`;
  return decidedBy === 'rule' ? `There was no decision, so the best one is revised.` : '';
}

const HOW: Readonly<Record<Decided['bestBy'], string>> = {
  person: 'by the word of a person',
  synthesis: 'by the synthesis',
  ranking: 'by ranking',
  tests: 'by tests',
};

function bestText({ ranking }: Deciding, { best, bestBy }: Decided): string {
  if (best === null) return 'There is no implementation to choose.';
  if (ranking.length === 1) return `${best} is the only one.`;
  const list = ranking.map(rankedText).join(', ');
  if (bestBy === 'ranking' && ranking.every(({ points }) => points === ranking[0]?.points))
    return `The rankings of the reviewers prefer none, so ${best} is taken by its tests, then by the order of the list: ${list}.`;
  return `${best} is the best ${HOW[bestBy]}: ${list}.`;
}

function rankedText({ implementation, points, evidence }: Ranked): string {
  const counts = typeof evidence?.passed === 'number' ? ` with ${evidence.passed} passed` : '';
  const tests = evidence === null ? '' : `, ${evidence.isGreen ? 'green' : 'red'}${counts}`;
  return `${implementation} (${points} ${points === 1 ? 'point' : 'points'}${tests})`;
}

function leftText(ledger: Ledger, chosen: readonly string[]): string {
  if (chosen.length === 0) return '';
  const count = new Set(chosen.flatMap((one) => findingsFor(ledger, one).findings)).size;
  return `${count} ${count === 1 ? 'finding is' : 'findings are'} left against ${chosen.join(', ')}.`;
}

/** The question for the person. The choices say what is known of each implementation. */
export function questionText(facts: Deciding): string {
  const { verdict } = facts.result;
  const came = verdict === null ? convergenceText(facts) : `${convergenceText(facts)} ${VERDICT_TEXTS[verdict]}`;
  return `${came}\n\nWhich implementation do you choose, and is it revised first?`;
}

const VERDICT_TEXTS: Readonly<Record<ReviewVerdict, string>> = {
  APPROVE: 'They would merge the best implementation as it is.',
  REVISE_BEST: 'They want its author to fix the findings against the best implementation first.',
  REVISE_ALL: 'They want every author to fix the findings first.',
};

function standing(ledger: Ledger, ranked: Ranked): string {
  const { findings } = findingsFor(ledger, ranked.implementation);
  return `${rankedText(ranked)}: ${findings.length === 0 ? 'no finding' : findings.map(({ id, severity }) => `${id} ${severity}`).join(', ')}`;
}

/** The question for the synthesiser: all known facts, and the reviewers' differences. */
export function synthesisText(facts: Deciding): string {
  const { ledger, result, ranking } = facts;
  const findings = new Set(liveImplementations(ledger).flatMap((one) => findingsFor(ledger, one).findings));
  const parts = [
    `${convergenceText(facts)} Weigh the evidence and decide. Your decision is recorded as a synthesis, with the dissent beside it.`,
    `## Implementations\n${ranking.map((one) => `- ${standing(ledger, one)}`).join('\n')}`,
    findings.size === 0
      ? ''
      : `## Findings that stand or are open\n${[...findings].map((one) => findingSentence(one)).join('\n')}`,
    result.dissent.length === 0
      ? ''
      : `## What they differ in\n${result.dissent.map((one) => dissentText(ledger, one)).join('\n')}`,
    `Call \`hand_in_synthesis\` with decision (${VERDICTS.join(', ')}), best (one of ${liveImplementations(ledger).join(', ')}) and reason; and parts, if files of several implementations should be combined.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** One difference as a line. */
function dissentText(ledger: Ledger, dissent: Dissent): string {
  const { reviewer } = dissent;
  if (dissent.kind === 'verdict') return `- ${reviewer}: ${dissent.verdict ?? 'no verdict'}`;
  if (dissent.kind === 'ranking') return `- ${reviewer} ranks ${dissent.ranking.join(' > ')}`;
  const why = dissent.reason === '' ? '' : `: ${dissent.reason}`;
  const finding = ledger.findings.find(({ id }) => id === dissent.finding);
  return `- ${reviewer} on ${finding === undefined ? dissent.finding : findingRef(finding)}: ${dissent.stance ?? 'silent'}${why}`;
}
