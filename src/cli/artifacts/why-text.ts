import { costText, shortCount } from '../../core/look/amount-text.ts';
import { shownPath } from '../../lib/confined-path.ts';
import {
  isWhy,
  type WhyEvidence,
  type KnownElsewhere,
  type MadeView,
  type WhyView,
} from '../../protocol/artifacts/why-view.ts';
import { counted, localTime, space } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { TextOptions } from '../terminal/terminal.ts';
import { artifactTitle, nowText } from './artifacts-text.ts';

/** Where an artifact comes from, as a tree: under each one who made it and how, and what it was made from. */
export function whyText(why: WhyView, options: TextOptions): string {
  return nodeLines(why, options).join('\n');
}

function nodeLines(why: WhyView, options: TextOptions): readonly string[] {
  const { artifact, from } = why;
  const { width, paint } = options;
  const mark = nowText(artifact);
  const title = `${paint('bold', artifactTitle(artifact))} (${artifact.type})${mark === null ? '' : `  ${paint('yellow', mark)}`}`;
  const bar = from.length === 0 ? '  ' : '│ ';
  const facts = factsOf(why).flatMap(([name, text]) => wrapped(name, text, width - bar.length));
  const below = from.flatMap((one, index) => branch(one, index === from.length - 1, options));
  return [title, ...facts.map((line) => `${bar}${line}`), ...below];
}

function branch(one: WhyView | KnownElsewhere, isLast: boolean, options: TextOptions): readonly string[] {
  const inner = { ...options, width: options.width - 3 };
  const lines = isWhy(one) ? nodeLines(one, inner) : [elsewhere(one)];
  return lines.map((line, index) => `${index === 0 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  '}${line}`);
}

const elsewhere = ({ id, path, version = 1 }: KnownElsewhere): string =>
  path === undefined ? `${shownPath(id)} (no record names it)` : `${artifactTitle({ path, version })} (see above)`;

const NAME_WIDTH = 9;

function wrapped(name: string, text: string, width: number): readonly string[] {
  const room = Math.max(20, width - NAME_WIDTH - 1);
  const lines = wrapWords(oneLine(text, 600), { width: room }).split('\n');
  return lines.map((line, index) => `${(index === 0 ? name : '').padEnd(NAME_WIDTH)} ${line}`);
}

type Field = readonly [name: string, text: string];

function factsOf({ artifact, made, evidence }: WhyView): readonly Field[] {
  const { run, record, created_at, phase, bytes, hash, metadata } = artifact;
  const type = made.agent_type === null || made.agent_type === made.agent ? '' : ` (${made.agent_type})`;
  return [
    ['made by', `${made.agent}${type}, ${localTime(Date.parse(created_at))}`],
    ['in', `phase ${phase}, run ${run}, record ${record}`],
    ['with', withText(made)],
    ...callFields(made),
    [
      'content',
      `${space(bytes)}, sha256 ${hash.slice(0, 12)}${metadata['isUndeclared'] === true ? ', not declared as an output' : ''}`,
    ],
    ...evidence.map((one): Field => [one.checked ? 'checked' : 'unchecked', evidenceText(one)]),
  ];
}

function withText({ tool, call, task, run, how }: MadeView): string {
  if (how === 'outside') return 'no agent of the run: it was found like this';
  const turn = task === null ? '' : `turn ${task} of ${run}`;
  if (tool !== null) return `${tool} in call ${call ?? '?'}${turn === '' ? '' : `, ${turn}`}`;
  return turn === '' ? 'not known' : turn;
}

function callFields({ calls }: MadeView): readonly Field[] {
  if (calls.length === 0) return [];
  const models = [...new Set(calls.flatMap(({ model }) => model ?? []))].join(', ') || 'unknown';
  const failed = calls.filter((one) => one.failed).length;
  const times = `${counted(calls.length - failed, 'call')}${failed === 0 ? '' : ` +${failed} failed`}`;
  const tokens = calls.reduce((sum, one) => sum + one.input_tokens + one.output_tokens, 0);
  const cost = calls.reduce<number | null>(
    (sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd),
    0,
  );
  return [['model', `${models}: ${times}, ${shortCount(tokens)} tokens, ${costText(cost)}`]];
}

function evidenceText({ text, checked, held, why = '' }: WhyEvidence): string {
  if (!checked) return `${text}${why === '' ? '' : ` (${why})`}`;
  return held === true ? `${text}: held` : `${text}: did not hold${why === '' ? '' : ` (${why})`}`;
}
