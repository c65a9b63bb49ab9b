import type { RequestDifference, RequestLine, RequestView, TracedBlock } from '../../protocol/request-trace.ts';
import type { Paint } from '../terminal/colour.ts';
import { plainText } from '../terminal/plain-text.ts';
import { table } from '../terminal/table.ts';

/** All requests of a run, a line each. */
export function linesText(lines: readonly RequestLine[], width: number): string {
  const isFork = lines.some(({ inheritedFrom }) => inheritedFrom !== undefined);
  const rows = lines.map((line) => [
    String(line.number),
    ...(isFork ? [line.inheritedFrom ?? line.run] : []),
    `${line.agent}-${line.ofAgent}`,
    `${line.state} ${line.visit}`,
    `${line.call}${line.attempt > 1 ? ` (attempt ${line.attempt})` : ''}`,
    count(line.tokens),
    line.window === null ? '–' : percent(line.tokens / line.window),
    percent(line.cache.predicted),
    line.cache.reported === null ? '–' : percent(line.cache.reported),
    line.model,
    line.cut.at(-1) ?? '',
  ]);
  const head = [
    '#',
    ...(isFork ? ['MADE BY'] : []),
    'AGENT',
    'STATE',
    'CALL',
    'TOKENS',
    'WINDOW',
    'CACHE',
    'REPORTED',
    'MODEL',
    'CUT',
  ];
  return table([head, ...rows.map((row) => row.map(plainText))], width);
}

const count = (value: number): string => value.toLocaleString('en-GB');
const percent = (share: number): string => `${share > 0 && share < 0.01 ? '<1' : Math.round(100 * share)} %`;

/** One request in full. */
export function viewText(view: RequestView, paint: Paint): string {
  return [
    headText(view, paint),
    '',
    blocksTable(view.blocks, paint),
    ...view.blocks.filter(({ section }) => section !== 'tools').map((block) => blockSection(block, paint)),
    `\n${paint('cyan', '── tools')}`,
    ...view.blocks.filter(({ section }) => section === 'tools').map(({ text }) => plainText(text)),
  ].join('\n');
}

function headText(view: RequestView, paint: Paint): string {
  const { number, agent, ofAgent, run, state, visit, call, attempt, seq } = view;
  const lines: (readonly [string, string])[] = [
    [
      'request',
      `${number}, ${agent}-${ofAgent} in ${run}: state ${state}, visit ${visit}, call ${call}, record ${seq}`,
    ],
    ...(attempt > 1 ? [['attempt', String(attempt)] as const] : []),
    ...(view.inheritedFrom === undefined ? [] : [['made by', `${view.inheritedFrom}, before the fork`] as const]),
    [view.actor, `${view.model} ${JSON.stringify(view.settings)}`],
    ['window', windowBar(view)],
    ['cache', cacheText(view)],
    ...(view.cut.length === 0 ? [] : [['cut', view.cut.join('; ')] as const]),
    ['prefix', view.difference === null ? 'the first request of this agent' : differenceText(view.difference)],
  ];
  return lines.map(([name, text]) => `${paint('dim', name.padEnd(8))} ${plainText(text)}`).join('\n');
}

const BAR = 30;

function windowBar({ tokens, window }: RequestLine): string {
  if (window === null) return `about ${count(tokens)} tokens handed over; the program keeps its own conversation`;
  const filled = Math.min(BAR, Math.ceil((BAR * tokens) / window));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} about ${count(tokens)} of ${count(window)} tokens (${percent(tokens / window)})`;
}

function cacheText({ cache, actor }: RequestLine): string {
  if (actor === 'client') return 'kept by the program';
  const reported = cache.reported === null ? 'no report' : `${percent(cache.reported)} reported`;
  return `${percent(cache.predicted)} predicted, ${reported}`;
}

/** Where two requests part. */
export function differenceText({ with: other, same, isLonger, before, now }: RequestDifference): string {
  if (isLonger) return `begins as request ${other} (${same} blocks)`;
  return `differs from request ${other} in block ${same + 1}: ${JSON.stringify(before)} → ${JSON.stringify(now)}`;
}

function blocksTable(blocks: readonly TracedBlock[], paint: Paint): string {
  const tools = blocks.filter(({ section }) => section === 'tools');
  const rest = blocks.filter(({ section }) => section !== 'tools');
  const sum = tools.reduce((tokens, block) => tokens + block.tokens, 0);
  const rows = [
    ...(tools.length === 0 ? [] : [[count(sum), markOf(tools), `${tools.length} tools`, namesOf(tools)]]),
    ...rest.map((block) => [count(block.tokens), markOf([block]), `${block.name} ${block.kind}`, block.origin]),
  ];
  const text = table([['TOKENS', 'MARK', 'BLOCK', 'FROM'], ...rows], 160);
  return plainText(text).replace(/^.*$/m, (head) => paint('dim', head));
}

const markOf = (blocks: readonly TracedBlock[]): string => (blocks.some(({ isMarked }) => isMarked) ? '●' : '');

const namesOf = (tools: readonly TracedBlock[]): string => tools.map(({ name }) => name).join(', ');

function blockSection(block: TracedBlock, paint: Paint): string {
  const title = `── ${block.section} · ${block.name} · ${block.origin}${block.isMarked ? ' · cache mark' : ''}`;
  return `\n${paint('cyan', plainText(title))}\n${plainText(block.text)}`;
}

/** What two requests share, and what each has besides. */
export function diffText(one: RequestView, other: RequestView, difference: RequestDifference): string {
  const shared = one.blocks.slice(0, difference.same).reduce((sum, { tokens }) => sum + tokens, 0);
  const only = (view: RequestView, sign: string): readonly string[] =>
    view.blocks.slice(difference.same).map((block) => {
      const text = `${block.section} ${block.name} (${block.origin}): ${block.text}`;
      return text
        .split('\n')
        .map((line) => `${sign} ${line}`)
        .join('\n');
    });
  return plainText(
    [
      `The first ${difference.same} blocks of requests ${one.number} and ${other.number} are the same (about ${count(shared)} tokens).`,
      ...only(one, '-'),
      ...only(other, '+'),
    ].join('\n'),
  );
}
