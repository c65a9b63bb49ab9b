import type { ChoiceDetail } from '../../../core/record/question-fact.ts';
import type { Deciding } from './deciding.ts';
import { findingsFor } from './findings-for.ts';
import type { Ledger } from './ledger.ts';
import type { Ranked } from './rank.ts';
import type { ChangeSize } from './change-size.ts';

/**
 * The answers that a person can give, best implementation first, each with what is known of it. Each names its verdict: only a
 * person's own approval outweighs red tests and grave findings, whatever the reviewers agreed on.
 */
export function reviewChoices({ ledger, result, ranking, by }: Deciding): readonly ChoiceDetail[] {
  const each = ranking.flatMap((ranked) => {
    const { implementation: workspace } = ranked;
    const about = { workspace, description: descriptionOf(ledger, ranked, by) };
    const approve = { answer: `APPROVE ${workspace}`, label: 'Choose as it is', ...about };
    const revise = { answer: `REVISE_BEST ${workspace}`, label: 'Choose and revise', ...about };
    return result.verdict === 'REVISE_BEST' ? [revise, approve] : [approve, revise];
  });
  return ranking.length > 1 ? [...each, REVISE_ALL] : each;
}

const REVISE_ALL: ChoiceDetail = {
  answer: 'REVISE_ALL',
  label: 'Revise all',
  description: 'Each author fixes the findings against its own implementation. Then the reviewers judge again.',
};

function descriptionOf(ledger: Ledger, ranked: Ranked, { claims = {}, sizes = {} }: Deciding['by']): string {
  const { implementation, points } = ranked;
  const claim = cutLine(claims[implementation] ?? '', MOST_CHARS);
  const lines = [
    ...(claim === '' ? [] : [`**Claim:** ${claim}`]),
    `**Tests:** ${testsText(ranked)}`,
    ...sizeText(sizes[implementation]),
    `**Ranking:** ${points} ${points === 1 ? 'point' : 'points'} from the reviewers`,
    ...findingLines(ledger, implementation),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function testsText({ evidence }: Ranked): string {
  if (evidence === null) return 'none were run';
  const { isGreen, passed, failed } = evidence;
  const counts = [
    ...(typeof passed === 'number' ? [`${passed} passed`] : []),
    ...(typeof failed === 'number' && failed > 0 ? [`${failed} failed`] : []),
  ];
  return [isGreen ? 'green' : 'red', ...counts].join(', ');
}

function sizeText(size: ChangeSize | undefined): readonly string[] {
  if (size === undefined) return [];
  const { files, added, removed } = size;
  return [`**Changes:** ${files} ${files === 1 ? 'file' : 'files'}, +${added} −${removed} lines`];
}

function findingLines(ledger: Ledger, implementation: string): readonly string[] {
  const { findings } = findingsFor(ledger, implementation);
  if (findings.length === 0) return ['**Findings:** none'];
  const rest = findings.length - MOST_FINDINGS;
  return [
    ...findings
      .slice(0, MOST_FINDINGS)
      .map(({ id, severity, claim }) => `**${id}, ${severity}:** ${cutLine(claim, MOST_CHARS)}`),
    ...(rest > 0 ? [`${rest} more ${rest === 1 ? 'finding' : 'findings'}`] : []),
  ];
}

const MOST_FINDINGS = 5;
const MOST_CHARS = 240;

function cutLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
