import type { CompareView, ImplementationView } from '../../../src/formats/review/views/compare-view.ts';
import type { DebateView, FindingView } from '../../../src/formats/review/views/debate-view.ts';

/** Implementations with a failed command, those to be merged first. */
export function redImplementations({ implementations, winner }: CompareView): readonly ImplementationView[] {
  const red = implementations.filter(({ evidence }) => evidence !== null && !evidence.isGreen);
  return red.toSorted((a, b) => Number(b.id === winner) - Number(a.id === winner));
}

/** Critical and major ones that stand or are not settled, worst first. */
export function graveFindings({ findings }: DebateView): readonly FindingView[] {
  const grave = findings.filter(
    ({ severity, state }) =>
      (severity === 'critical' || severity === 'major') && (state === 'open' || state === 'standing'),
  );
  return grave.toSorted(
    (a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical') || a.priority - b.priority,
  );
}

interface Reviewed {
  readonly compare: CompareView;
  readonly debate: DebateView;
}

interface Sentence {
  readonly isGood: boolean;
  readonly text: string;
}

/** How the review came out, in a sentence. */
export function reviewSentence({ compare, debate }: Reviewed): Sentence {
  const { unverified, failure, isMerged, winner, outcome } = compare;
  if (unverified !== null)
    return bad(`Nothing came home: of ${unverified.implementation}, the best, ${lowered(unverified.why)}`);
  if (isMerged) return { isGood: true, text: `${winner} was merged.` };
  if (failure !== null) return bad(failure.message);
  if (outcome !== null && outcome !== 'ok') return bad(`The review came out as ${outcome}.`);
  return soFar({ compare, debate });
}

const bad = (text: string): Sentence => ({ isGood: false, text });

function soFar({ compare, debate }: Reviewed): Sentence {
  const red = redImplementations(compare).length;
  const grave = graveFindings(debate).length;
  if (red === 0 && grave === 0) return { isGood: true, text: 'Nothing is red, and nothing grave stands so far.' };
  const parts = [
    red === 0 ? '' : `${red} of ${compare.implementations.length} implementations ${red === 1 ? 'is' : 'are'} red`,
    grave === 0 ? '' : `${grave} grave ${grave === 1 ? 'finding stands or is' : 'findings stand or are'} open`,
  ];
  return bad(`${parts.filter((part) => part !== '').join(', ')}.`);
}

/** A sentence continues with it, unless it begins with a name or a code. */
const lowered = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
