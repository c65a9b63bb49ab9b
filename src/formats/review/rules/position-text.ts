import type { ReviewFinding } from './finding.ts';
import { findingRef, findingSentence, indented } from './finding-text.ts';
import type { Spoken, TestRun } from './ledger.ts';
import { roundName } from './round-name.ts';
import type { ReviewerSight, ViewedFinding } from './reviewer-reading.ts';

/** The order of a reviewer when it is its turn. */
export function positionText(view: ReviewerSight): string {
  if (view.isBlind) return blindText(view);
  const parts = [
    headText(view),
    listText('Open findings', view.open.map(openText)),
    listText('No longer debated', view.settled.map(settledText)),
    listText('Verdicts of the other reviewers, of rounds that are over', view.verdicts.map(verdictText)),
    askText(view),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function blindText({ reviewer, implementations }: ReviewerSight): string {
  return [
    `You are ${reviewer}. Review ${implementations.join(', ')} independently: the other reviewers do the same, and no one sees another review before all are handed in.`,
    'Hand in with `hand_in_review`: a verdict, a ranking of all implementations, and your findings, each with file and line.',
  ].join('\n');
}

function headText({ reviewer, others, isFinal, round, maxRounds }: ReviewerSight): string {
  const kind = isFinal ? 'the final review after a revision' : 'the debate';
  const company = others.length === 0 ? 'You are the only reviewer left' : `The other reviewers: ${others.join(', ')}`;
  return `You are ${reviewer}. This is round ${round} of at most ${maxRounds} of ${kind}. ${company}.`;
}

const listText = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `## ${title}\n${items.join('\n')}`;

/** In full if it is new to the reviewer or its stance is required; otherwise its claim, and the statements since. */
function openText({ finding, stances, tests, isAwaited, isDropped, isNew }: ViewedFinding): string {
  const origin = `  Found by ${finding.by}${finding.isTouched === false ? '; the revision did not change what it names' : ''}.`;
  const lines = [
    findingSentence(finding, { withChange: isNew || isAwaited }),
    ...(isNew || finding.isTouched === false ? [origin] : []),
    ...(isNew
      ? finding.earlier.map(({ by, severity, claim }) => `  ${by} worded it as [${severity}] ${indented(claim)}`)
      : []),
    ...stances.map((one) => `  ${one.reviewer}, ${roundName(one)}: ${one.stance}${reasonText(one.reason)}`),
    ...tests.map(testText),
    ...(isAwaited ? ['  → Give your stance.'] : []),
    ...(isDropped ? [`  ${finding.by} withdrew it: give a stance only if it stands in your eyes.`] : []),
  ];
  return lines.join('\n');
}

const reasonText = (reason: string): string => (reason === '' ? '' : `: ${indented(reason)}`);

function testText({ reviewer, command, expect, exitCode, output }: TestRun): string {
  const ending = exitCode === null ? 'it did not end' : `exit code ${exitCode}`;
  const printed = output.trim() === '' ? '' : `\n    ${output.trim().replaceAll('\n', '\n    ')}`;
  return `  The engine ran \`${command}\` for ${reviewer} (it should ${expect} if the finding is right): ${ending}.${printed}`;
}

const settledText = (finding: ReviewFinding): string => {
  const { claim, closed } = finding;
  return `${findingRef(finding)} ${closed?.stands === true ? 'stands' : (closed?.how ?? '')}: ${indented(claim)} (${closed?.reason ?? ''})`;
};

const verdictText = (said: Spoken): string =>
  `${said.reviewer}, ${roundName(said)}: ${said.verdict ?? 'no verdict'}; ${said.ranking.length === 0 ? 'no ranking' : said.ranking.join(' > ')}${reasonText(said.summary)}`;

function askText({ open, isFinal, implementations }: ReviewerSight): string {
  const awaited = open.filter(({ isAwaited }) => isAwaited).map(({ finding }) => findingRef(finding));
  const asked =
    awaited.length === 0 ? 'Where you changed your mind' : `On ${awaited.join(', ')}, and where you changed your mind`;
  // Settled findings are no longer debated: a stance on them would be refused.
  const stances =
    open.length === 0
      ? 'No finding is open: `stances` is [].'
      : `${asked}: one stance each with a reason that others can check: ${stanceWords(isFinal)}.`;
  return [
    '## Your order',
    'Hand in your position with `hand_in_position`, once, as your last action. Verdicts of this round are shown when all reviewers have spoken.',
    `- ${stances}`,
    '- New findings, if there are any, with implementation, file and line.',
    `- ${rankingText(implementations)}.`,
    '- A command that decides a finding, if there is one: the engine runs it. It decides if it goes against its proposer, or if another reviewer proposes the same.',
  ].join('\n');
}

const rankingText = (implementations: readonly string[]): string =>
  implementations.length === 1
    ? `The ranking ["${implementations.join('')}"], and a verdict: APPROVE (merge it as it is) or REVISE_BEST (it needs changes)`
    : `A ranking of ${implementations.join(', ')}, best first, and a verdict: APPROVE (merge the best one as it is), REVISE_BEST (the best one needs changes) or REVISE_ALL (all need changes)`;

const stanceWords = (isFinal: boolean): string =>
  isFinal
    ? '`fixed` (it was right, and the revision removed it), `agree` (it still has to be changed), `disagree` (it was never right; on your own finding, you withdraw it), `revise` (it stands in other words; give them in `change`)'
    : '`agree` (it stands), `disagree` (it does not stand; on your own finding, you withdraw it), `revise` (it stands in other words; give them in `change`)';
