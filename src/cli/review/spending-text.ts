import {
  REVIEW_PARTS,
  type ReviewPart,
  type ReviewSpending,
  type SpendingFigures,
} from '../../protocol/review/spending-view.ts';
import { shortTime } from '../metrics/short-time.ts';
import { money, tokens } from '../terminal/amounts.ts';
import { table } from '../terminal/table.ts';

/** What it cost, by what it was spent on. */
export function spendingText({ parts, total, paidBefore }: ReviewSpending, width: number): string {
  const shown = REVIEW_PARTS.filter((part) => ALWAYS.has(part) || !isNothing(parts[part]));
  const rows = [
    ['COST OF', 'TURNS', 'TOKENS', 'USD', 'TIME'],
    ...shown.map((part) => spendingRow(NAMES[part], parts[part])),
    spendingRow('all', total),
  ];
  const text = table(rows, width);
  return paidBefore === null ? text : `${text}\nWhat came before the fork was paid by run ${paidBefore}.`;
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
  costText(figures),
  shortTime(figures.ms),
];

/** What has no known price is never shown as nothing. */
export function costText({ costUsd, knownCostUsd }: SpendingFigures): string {
  if (costUsd !== null) return money(costUsd);
  return knownCostUsd > 0 ? `${money(knownCostUsd)} and what has no known price` : 'unknown';
}

/** `debate: 1200 tokens, $0.12, 3m 20s`. */
export const spentWords = (figures: SpendingFigures): string =>
  `${tokens(figures.usage)}, ${figures.costUsd === null ? `cost ${costText(figures)}` : costText(figures)}, ${shortTime(figures.ms)}`;
