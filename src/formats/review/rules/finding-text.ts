import type { ReviewFinding } from './finding.ts';

/** `F1 [critical, priority 1] impl_2 src/a.ts:12`, then the claim and what should be done. */
export function findingSentence(
  finding: ReviewFinding,
  { withChange = true }: { readonly withChange?: boolean } = {},
): string {
  const { id, severity, priority, claim, change } = finding;
  const lines = [`${id} [${severity}, priority ${priority}] ${placeText(finding)}`, `  ${indented(claim)}`];
  if (withChange && change !== '' && change !== claim) lines.push(`  Change: ${indented(change)}`);
  return lines.join('\n');
}

/** How a finding is mentioned: by its id, and which implementation and place it is about (A7). */
export function findingRef({ id, implementation, file, line }: FindingPlace): string {
  const where = file === null ? '' : `, ${file}${line === null ? '' : `:${line}`}`;
  return `${id} (${implementation === null ? 'all implementations' : `implementation ${implementation}`}${where})`;
}

type FindingPlace = Pick<ReviewFinding, 'id' | 'implementation' | 'file' | 'line'>;

/** Its place, and whether the engine could not find it. */
export function placeText({ implementation, file, line, isVerified }: ReviewFinding): string {
  const where = file === null ? 'no place named' : `${file}${line === null ? '' : `:${line}`}`;
  return `${implementation ?? 'all'} ${where}${file !== null && !isVerified ? ' (no such place)' : ''}`;
}

export const indented = (text: string): string => text.replaceAll('\n', '\n  ');
