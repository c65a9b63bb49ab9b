import type { Convergence, Dissent } from '../rules/ledger.ts';
import type {
  DebateEnd,
  DebateView,
  DecisionView,
  FindingView,
  ReviewerView,
  RoundView,
  VerdictView,
} from '../views/debate-view.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import { counted } from '../../../protocol/amounts.ts';
import { oneLine } from '../../../protocol/plain-text.ts';
import { closingWords, findingText, stanceText, testText } from './finding-text.ts';
import { matrixText } from './matrix-text.ts';
import { paragraph, reviewHead } from './paragraph.ts';
import { roundName } from '../rules/round-name.ts';
import { spendingText, spentInReviewText } from './spending-text.ts';

/** A debate for people: its result and cost, the matrix, then every statement. */
export function debateText(view: DebateView, options: TextOptions): string {
  if (view.debate === 0) return `${reviewHead(view, options)}\nNo reviewer has been asked yet.`;
  const { findings, tests } = view;
  const pointLines = (isOpen: boolean): readonly string[] =>
    findings
      .filter(({ state }) => (state === 'open') === isOpen)
      .map((finding) => findingText(finding, tests, options));
  const dissent = view.debates.findLast(({ came }) => came !== 'open')?.dissent ?? [];
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [countsText(view), findings.length === 0 ? [] : [matrixText(view, options)]],
    ['Open points', pointLines(true)],
    ['Settled', pointLines(false)],
    ['Verdicts', verdictLines(view.rounds, options)],
    ['Reviewers', view.reviewers.map((one) => reviewerText(one, options))],
    ['Dissent', dissent.map((one) => paragraph(`  ${one.reviewer}: `, dissentWords(one), options))],
  ];
  return [
    [reviewHead(view, options), ...outcomeLines(view, options)].join('\n'),
    spendingText(view.spending, options.width),
    ...(findings.length === 0 ? ['No findings.'] : []),
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => [options.paint('bold', title), ...lines].join('\n')),
  ].join('\n\n');
}

const LABEL = 10;

function outcomeLines(view: DebateView, options: TextOptions): readonly string[] {
  const { debates, lost } = view;
  const line = (label: string, text: string): string =>
    paragraph(label.padEnd(LABEL), text, { ...options, style: 'bold' });
  return [
    ...lost.map(({ id, reason }) => line('lost', `${id}: ${oneLine(reason, 300)}`)),
    ...debates.flatMap((end) => [
      line(end.debate === 1 ? 'debate' : `final ${end.debate - 1}`, endText(end)),
      ...(end.decision === null ? [] : [line('decision', decisionText(end.decision))]),
    ]),
    ...nowLines(view).map((text) => line('now', text)),
  ];
}

const ENDINGS: Readonly<Record<Convergence['kind'], string>> = {
  open: 'open',
  consensus: 'consensus',
  stalemate: 'stalemate, no consensus',
  'last-round': 'last round, no consensus',
  single: 'one reviewer alone, no consensus',
  nobody: 'no reviewer left',
};

function endText({ came, verdict, rounds, spending }: DebateEnd): string {
  const after = rounds === 0 ? 'on the first reviews' : `after ${counted(rounds, 'round')}`;
  return `${ENDINGS[came]} ${after}${verdict === null ? '' : `: ${verdict}`} (${spentInReviewText(spending)})`;
}

export function decisionText({ decision, best, reason, isSynthesis, needs, parts }: DecisionView): string {
  if (needs !== null) return `waits for a ${needs}. ${reason}`;
  const mix = parts.map(({ implementation, paths }) => `${paths.join(', ')} of ${implementation}`).join('; ');
  const made = mix === '' ? '' : ` Put together: ${mix}.`;
  return `${decision}${best === null ? '' : ` ${best}`}${isSynthesis ? ' (by a synthesis)' : ''}. ${reason}${made}`;
}

function nowLines({ speaker, round, rounds, maxRounds, debate, status, open }: DebateView): readonly string[] {
  if (status === 'settled' || speaker === null) return [];
  const last = rounds.findLast((one) => one.debate === debate && one.round === round);
  const hasSpoken = last?.verdicts.some(({ reviewer }) => reviewer === speaker) === true;
  const next = round + Number(hasSpoken);
  const where = next === 0 ? 'first reviews' : `${roundName({ debate, round: next })} of ${maxRounds}`;
  return [`${where}; ${speaker} is next, ${counted(open.length, 'finding')} open`];
}

function countsText({ counts }: DebateView): string {
  const { found, unverified, ...states } = counts;
  const parts = Object.entries(states).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));
  const doubt = unverified === 0 ? '' : `; ${unverified} without a place that was found`;
  return `${counted(found, 'finding')}: ${parts.join(', ')}${doubt}`;
}

function verdictLines(rounds: readonly RoundView[], options: TextOptions): readonly string[] {
  return rounds.flatMap((round) => {
    const lines = round.verdicts.map((one) => paragraph(`    ${one.reviewer}: `, debateVerdictText(one), options));
    return [`  ${roundName(round)}`, ...lines];
  });
}

function debateVerdictText({ isHidden, verdict, ranking, summary, flaws = [] }: VerdictView): string {
  if (isHidden) return 'has spoken; shown when all have';
  const order = ranking.length === 0 ? 'no ranking' : ranking.join(' > ');
  const wrong = flaws.length === 0 ? '' : `. Refused once, and still wrong: ${flaws.join(' ')}`;
  return `${verdict ?? 'no verdict'}, ${order}${summary === '' ? '' : `. ${summary.replace(/\.$/, '')}`}${wrong}`;
}

function reviewerText(
  { reviewer, models, found, verified, out, isHollow }: ReviewerView,
  options: TextOptions,
): string {
  const parts = [
    models.map((model) => oneLine(model, 60)).join(', '),
    `${counted(found, 'finding')}, ${verified} with a place that was found`,
    isHollow ? 'hollow: it names no place, while others found what is really there' : '',
    out === null ? '' : `out: ${oneLine(out, 300)}`,
  ];
  return paragraph(`  ${reviewer}: `, parts.filter((part) => part !== '').join('; '), options);
}

function dissentWords(dissent: Dissent): string {
  if (dissent.kind === 'verdict') return dissent.verdict ?? 'no verdict';
  if (dissent.kind === 'ranking') return `ranks ${dissent.ranking.join(' > ')}`;
  const { finding, stance, reason } = dissent;
  return `${finding}: ${stance === null ? 'silent' : stanceText({ stance, reason })}`;
}

/** Statements and events between two states of a debate, for a person who reads along. */
export function debateNews(before: DebateView | null, now: DebateView, options: TextOptions): readonly string[] {
  const line = (label: string, text: string): string => paragraph(`${label}: `, text, { ...options, style: 'cyan' });
  const known = new Map((before?.findings ?? []).map((finding) => [finding.id, finding]));
  return [
    ...now.lost.slice(before?.lost.length ?? 0).map(({ id, reason }) => line(id, `lost: ${oneLine(reason, 300)}`)),
    ...now.reviewers.flatMap(({ reviewer, out }, index) =>
      out !== null && before?.reviewers[index]?.out !== out ? [line(reviewer, `out: ${oneLine(out, 300)}`)] : [],
    ),
    ...now.findings.flatMap((finding) => findingNews(known.get(finding.id), finding, line)),
    ...now.tests
      .slice(before?.tests.length ?? 0)
      .map((test) => line(`${test.reviewer}, ${roundName(test)}`, `${test.finding}: ${testText(test)}`)),
    ...verdictNews(before, now, line),
    ...endNews(before, now, line),
  ];
}

type Line = (label: string, text: string) => string;

function findingNews(before: FindingView | undefined, now: FindingView, line: Line): readonly string[] {
  const { id, severity, implementation, file, claim, by, closed } = now;
  const place = `${implementation ?? 'all'}${file === null ? '' : ` ${file}${now.line === null ? '' : `:${now.line}`}`}`;
  const said = now.stances.flatMap((cell, index) => cell.said.slice(before?.stances[index]?.said.length ?? 0));
  const isClosed = closed !== null && (before === undefined || before.closed === null);
  return [
    ...(before === undefined ? [line(`${by}, ${roundName(now)}`, `${id} [${severity}] ${place}: ${claim}`)] : []),
    ...said.map((stance) => line(`${stance.reviewer}, ${roundName(stance)}`, `${id}: ${stanceText(stance)}`)),
    ...(isClosed ? [line(id, `${closingWords(closed)}: ${closed.reason}`)] : []),
  ];
}

/** A verdict is printed when it may be seen. */
function verdictNews(before: DebateView | null, now: DebateView, line: Line): readonly string[] {
  const shown = (view: DebateView | null): readonly (readonly [key: string, text: string])[] =>
    (view?.rounds ?? []).flatMap((round) =>
      round.verdicts
        .filter(({ isHidden }) => !isHidden)
        .map((one) => [`${one.reviewer}, ${roundName(round)}`, debateVerdictText(one)] as const),
    );
  const known = new Set(shown(before).map(([key]) => key));
  return shown(now).flatMap(([key, text]) => (known.has(key) ? [] : [line(key, text)]));
}

function endNews(before: DebateView | null, now: DebateView, line: Line): readonly string[] {
  const ends = now.debates.filter(
    ({ debate, came }) => came !== 'open' && before?.debates.find((one) => one.debate === debate)?.came !== came,
  );
  const decided = now.decision !== null && JSON.stringify(now.decision) !== JSON.stringify(before?.decision ?? null);
  return [
    ...ends.map(({ debate, came, verdict }) =>
      line(debate === 1 ? 'debate' : `final review ${debate - 1}`, `${came}${verdict === null ? '' : `: ${verdict}`}`),
    ),
    ...(decided && now.decision !== null ? [line('decision', decisionText(now.decision))] : []),
  ];
}
