import type { DebateView, FindingView } from '../../protocol/review/debate-view.ts';
import type { TextOptions } from '../artifacts/artifacts-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { decisionText, debateVerdictText } from './debate-text.ts';
import { closingWords, stanceText, testText } from './finding-text.ts';
import { paragraph } from './paragraph.ts';
import { roundName } from '../../core/review/round-name.ts';

/** What was said and came to pass between two looks at a debate, for a person who reads along. */
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
