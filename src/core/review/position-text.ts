import type { Finding } from './finding.ts';
import { findingText, indented } from './finding-text.ts';
import type { Spoken, TestRun } from './ledger.ts';
import { VERDICTS } from './review.ts';
import type { ReviewerView, ViewedFinding } from './view-for.ts';

/** What a reviewer is told when it is its turn. */
export function positionText(view: ReviewerView): string {
  if (view.isBlind) return blindText(view);
  const parts = [
    headText(view),
    listText('Open findings', view.open.map(openText)),
    listText('No longer debated', view.settled.map(settledText)),
    listText('What was said about the whole, in rounds that are over', view.verdicts.map(verdictText)),
    askText(view),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function blindText({ reviewer, implementations }: ReviewerView): string {
  return [
    `You are ${reviewer}. Review ${implementations.join(', ')} by yourself: the others do the same, and nobody sees another's review before all are in.`,
    'Hand it in with hand_in_review: a verdict, a ranking of all implementations, and your findings, each with file and line.',
  ].join('\n');
}

function headText({ reviewer, others, isFinal, round, maxRounds }: ReviewerView): string {
  const kind = isFinal ? 'the final review after a revision' : 'the debate';
  const company = others.length === 0 ? 'You are alone' : `With you: ${others.join(', ')}`;
  return `You are ${reviewer}. This is round ${round} of at most ${maxRounds} of ${kind}. ${company}.`;
}

const listText = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `## ${title}\n${items.join('\n')}`;

function openText({ finding, stances, tests, isAwaited }: ViewedFinding): string {
  const lines = [
    findingText(finding),
    `  Found by ${finding.by}${finding.isTouched === false ? '; the revision did not change what it names' : ''}.`,
    ...finding.earlier.map(({ by, severity, claim }) => `  ${by} had it as [${severity}] ${indented(claim)}`),
    ...stances.map((one) => `  ${one.reviewer}, ${roundText(one)}: ${one.stance}${reasonText(one.reason)}`),
    ...tests.map(testText),
    ...(isAwaited ? ['  → Say where you stand.'] : []),
  ];
  return lines.join('\n');
}

const roundText = ({ debate, round }: { readonly debate: number; readonly round: number }): string =>
  debate === 1 ? `round ${round}` : `final review ${debate - 1}, round ${round}`;

const reasonText = (reason: string): string => (reason === '' ? '' : `: ${indented(reason)}`);

function testText({ reviewer, command, expect, exitCode, output }: TestRun): string {
  const came = exitCode === null ? 'it did not come to an end' : `it ended with ${exitCode}`;
  const printed = output.trim() === '' ? '' : `\n    ${output.trim().replaceAll('\n', '\n    ')}`;
  return `  ${reviewer} had the engine run \`${command}\` (to ${expect} if the finding is right): ${came}.${printed}`;
}

const settledText = ({ id, claim, closed }: Finding): string =>
  `${id} ${closed?.stands === true ? 'stands' : (closed?.how ?? '')}: ${indented(claim)} (${closed?.reason ?? ''})`;

const verdictText = (said: Spoken): string =>
  `${said.reviewer}, ${said.round === 0 ? 'first review' : roundText(said)}: ${said.verdict ?? 'no verdict'}; ${said.ranking.join(' > ')}${reasonText(said.summary)}`;

function askText({ open, isFinal, implementations }: ReviewerView): string {
  const ids = open.filter(({ isAwaited }) => isAwaited).map(({ finding }) => finding.id);
  const stands = isFinal ? 'it still has to be changed' : 'it stands';
  const gone = isFinal
    ? 'it is done, or never was right'
    : 'it does not stand; on a finding of your own, you withdraw it';
  const asked = ids.length === 0 ? 'Where your mind changed' : `On ${ids.join(', ')}, and where your mind changed`;
  return [
    '## What is asked of you',
    `Hand in your position with hand_in_position. The verdicts of this round are shown when all have spoken.`,
    `- ${asked}: agree (${stands}), disagree (${gone}), or revise (it stands in other words: say which), with the reason.`,
    `- New findings, if there are any, with file and line.`,
    `- A ranking of ${implementations.join(', ')}, best first, and a verdict: ${VERDICTS.join(', ')}.`,
    '- A command that settles a finding, if there is one: the engine runs it. It is decisive when it goes against whoever proposed it, or when another proposes the same.',
  ].join('\n');
}
