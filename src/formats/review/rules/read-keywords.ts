import { findingDraft } from './prose-finding.ts';
import { STANCES, type StanceDraft } from './position.ts';
import { VERDICTS, type FindingDraft, type ReviewVerdict } from './review.ts';

/** Prose in the form of a structured reply. */
export interface ReadProse {
  readonly verdict: ReviewVerdict | null;
  readonly ranking: readonly string[];
  readonly stances: readonly StanceDraft[];
  readonly findings: readonly FindingDraft[];
  readonly summary: string;
}

export interface ProseAbout {
  /** In a review every point of a list is a finding; in the debate only one that names an implementation or a file. */
  readonly kind: 'review' | 'position';
  readonly implementations: readonly string[];
}

/**
 * Reads an answer in prose, for models that hand nothing in: `APPROVE:`, `REVISE:`, `CONSENSUS:`, `RANKING:`, `F1: agree …`, and lists of
 * findings such as `- impl_2 src/a.ts:12 claim`. A word of consensus is the verdict of the one who says it, no more.
 */
export function readKeywords(text: string, about: ProseAbout = { kind: 'position', implementations: [] }): ReadProse {
  const lines = ownLines(text);
  const points = lines.map(pointOf);
  const stances = points.flatMap(({ words }) => stanceIn(words));
  const verdict = verdictOf(lines);
  const listed = points.flatMap((point) => findingIn(point, about));
  const rest = about.kind === 'review' && listed.length === 0 && verdict !== 'APPROVE' ? wholeFinding(text, about) : [];
  return { verdict, ranking: rankingOf(lines, about), stances, findings: [...listed, ...rest], summary: text.trim() };
}

/** Whether a line gives a verdict by one of the keywords. Prose without one says nothing that can be taken (A4). */
export function hasKeyword(text: string): boolean {
  return ownLines(text).some((line) => KEYWORD.test(pointOf(line).words));
}

/** Removes quotes: text of others, and code. An indented line continues the point before it. */
function ownLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of withoutCode(text)) {
    if (/^\s*>/.test(line)) continue;
    const before = lines.at(-1) ?? '';
    if (/^\s{2,}\S/.test(line) && !LISTED.test(line) && LISTED.test(before)) {
      lines[lines.length - 1] = `${before} ${line.trim()}`;
    } else {
      lines.push(line);
    }
  }
  return lines;
}

function withoutCode(text: string): readonly string[] {
  let fence: string | null = null;
  return text.split('\n').filter((line) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? null;
    const isCode = fence !== null || mark !== null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    return !isCode;
  });
}

const LISTED = /^\s*(?:[-*+•]|\d+[.)])\s+(.*)$/;

interface Point {
  readonly isListed: boolean;
  /** Without list marks and emphasis. */
  readonly words: string;
}

function pointOf(line: string): Point {
  const listed = LISTED.exec(line);
  return { isListed: listed !== null, words: plain(listed?.[1] ?? line) };
}

const plain = (words: string): string =>
  words
    .replaceAll(/\*\*|__|`/g, '')
    .replace(/^[#\s]+/, '')
    .trim();

const KEYWORD = /^(CONSENSUS|APPROVED?|REVISE(?:[_ ](?:BEST|ALL))?)\s*:\s*(.*)$/i;

/** Null when it gives none, or several that differ. */
function verdictOf(lines: readonly string[]): ReviewVerdict | null {
  const said = lines.flatMap((line) => {
    const match = KEYWORD.exec(pointOf(line).words);
    return match === null ? [] : [keywordVerdict(match[1] ?? '', match[2] ?? '')];
  });
  const verdicts = new Set(said.filter((one) => one !== null));
  const [verdict = null] = verdicts;
  return verdicts.size === 1 ? verdict : null;
}

function keywordVerdict(keyword: string, words: string): ReviewVerdict | null {
  const word = keyword.toUpperCase().replace(' ', '_');
  if (word === 'CONSENSUS') return namedVerdict(words);
  if (word.startsWith('APPROVE')) return 'APPROVE';
  // `REVISE:` alone asks for changes to what is best, unless its words say otherwise.
  return word === 'REVISE_ALL' || namedVerdict(words) === 'REVISE_ALL' ? 'REVISE_ALL' : 'REVISE_BEST';
}

function namedVerdict(words: string): ReviewVerdict | null {
  const named = VERDICTS.filter((verdict) => new RegExp(`\\b${verdict}\\b`).test(words));
  return named.length === 1 ? (named[0] ?? null) : null;
}

const RANKING = /^(?:RANKING|RANK|BEST FIRST)\s*:\s*(.*)$/i;

function rankingOf(lines: readonly string[], { implementations }: ProseAbout): readonly string[] {
  const line = lines.map((one) => RANKING.exec(pointOf(one).words)?.[1]).findLast((one) => one !== undefined);
  const named = (line ?? '').split(/[\s,>;]+/).map((word) => word.replace(/^\d+[.)]/, ''));
  const known = named.filter((word) =>
    implementations.length === 0 ? /^\w+$/.test(word) : implementations.includes(word),
  );
  return [...new Set(known)];
}

/** `F3: disagree, because …` or `disagree with F3: …`. */
const STANCE = [
  /^(F\d+)\b[\s:,–—-]*(agree|disagree|fixed|revise)d?\b(.*)$/i,
  /^(?:I )?(agree|disagree|fixed|revise)d?\b(?: with| on)? (F\d+)\b(.*)$/i,
];

function stanceIn(words: string): readonly StanceDraft[] {
  for (const pattern of STANCE) {
    const match = pattern.exec(words);
    if (match === null) continue;
    const [first = '', second = '', rest = ''] = match.slice(1);
    const [finding, said] = /^F\d+$/i.test(first) ? [first, second] : [second, first];
    const stance = STANCES.find((one) => one === said.toLowerCase());
    if (stance === undefined) continue;
    const reason = rest.replace(/^[\s:,.–—-]+/, '').replace(/^because /i, '');
    return [{ finding: finding.toUpperCase(), stance, reason, change: null }];
  }
  return [];
}

function findingIn({ isListed, words }: Point, about: ProseAbout): readonly FindingDraft[] {
  const isOther = words === '' || /^F\d+\b/i.test(words) || KEYWORD.test(words) || RANKING.test(words);
  if (!isListed || isOther || stanceIn(words).length > 0) return [];
  const draft = findingDraft(words, about.implementations);
  return about.kind === 'review' || draft.implementation !== null || draft.file !== null ? [draft] : [];
}

/** A review without a list that asks for changes is one finding. */
function wholeFinding(text: string, about: ProseAbout): readonly FindingDraft[] {
  const words = plain(text.replace(/^\s*(?:CONSENSUS|REVISE(?:[_ ](?:BEST|ALL))?)\s*:\s*/i, ''));
  return words === '' ? [] : [findingDraft(words, about.implementations)];
}
