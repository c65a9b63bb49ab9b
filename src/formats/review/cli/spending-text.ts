import { durationText, knownCostText } from '../../../core/look/amount-text.ts';
import { REVIEW_PARTS, type ReviewPart } from '../views/spending-view.ts';
import type { ReviewSpending, SpendingFigures } from '../views/answers/spending.ts';
import { tokens } from '../../../protocol/amounts.ts';
import { table } from '../../../cli/terminal/table.ts';

/** The cost by purpose. */
export function spendingText({ parts, total, paidBefore }: ReviewSpending, width: number): string {
  const shown = REVIEW_PARTS.filter((part) => ALWAYS.has(part) || !isNothing(parts[part]));
  const rows = [
    ['COST OF', 'TURNS', 'TOKENS', 'USD', 'TIME'],
    ...shown.map((part) => spendingRow(NAMES[part], parts[part])),
    spendingRow('all', total),
  ];
  const text = table(rows, width);
  return paidBefore === null ? text : `${text}\nCosts before the fork were paid by run ${paidBefore}.`;
}

const ALWAYS: ReadonlySet<ReviewPart> = new Set(['implementations', 'reviews', 'debate']);

const NAMES: Readonly<Record<ReviewPart, string>> = {
  implementations: 'implementations',
  reviews: 'first reviews',
  debate: 'debate',
  synthesis: 'synthesis',
  revisions: 'revisions',
  merge: 'settling conflicts',
  other: 'other',
};

const isNothing = ({ turns, usage }: SpendingFigures): boolean => turns === 0 && usage.calls === 0;

const spendingRow = (name: string, figures: SpendingFigures): readonly string[] => [
  name,
  String(figures.turns),
  tokens(figures.usage).replace(' tokens', ''),
  knownCostText(figures, 'unknown'),
  durationText(figures.ms),
];

/** `debate: 1.2k tokens, $0.12, 3m 20s`. */
export const spentInReviewText = (figures: SpendingFigures): string =>
  `${tokens(figures.usage)}, ${knownCostText(figures)}, ${durationText(figures.ms)}`;
