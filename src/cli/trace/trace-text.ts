import type { RequestDifference, RequestLine, RequestView, TracedBlock } from '../../protocol/request-trace.ts';
import { shortCount } from '../../core/amount-text.ts';
import type { Paint } from '../terminal/colour.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';

/** All requests of a run, a line each. */
export function linesText(lines: readonly RequestLine[], width: number): string {
  const columns = COLUMNS.filter(({ isNeeded }) => isNeeded === undefined || lines.some(isNeeded));
  const rows = lines.map((line) => columns.map(({ text }) => plainText(text(line))));
  return `${table([columns.map(({ title }) => title), ...rows], width)}\n${LEGEND}`;
}

const LEGEND =
  '~ is an estimate; figures without it are those that the provider reported. Show one with --call and its number (#).';

interface Column {
  readonly title: string;
  readonly text: (line: RequestLine) => string;
  /** Left out where no line needs it. */
  readonly isNeeded?: (line: RequestLine) => boolean;
}

const COLUMNS: readonly Column[] = [
  { title: '#', text: ({ number }) => String(number) },
  {
    title: 'MADE BY',
    text: ({ inheritedFrom, run }) => inheritedFrom ?? run,
    isNeeded: ({ inheritedFrom }) => inheritedFrom !== undefined,
  },
  { title: 'STEP', text: ({ step }) => step ?? '–', isNeeded: ({ step }) => step !== null },
  { title: 'AGENT', text: ({ agent }) => agent },
  { title: 'STATE', text: ({ state, visit }) => `${state} ${visit}` },
  { title: 'CALL', text: callText },
  { title: 'TOKENS', text: tokensText },
  { title: 'WINDOW', text: windowText },
  { title: 'CACHE', text: cacheShare },
  { title: 'MODEL', text: ({ model }) => model },
  { title: 'ANSWER', text: ({ answer }) => answer ?? '–' },
  { title: 'NOTE', text: ({ failure, cut }) => [failure, cut.at(-1)].filter((note) => note != null).join('; ') },
];

function callText({ call, attempt, isSummary }: RequestLine): string {
  return `${call}${isSummary ? ', summary' : ''}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
}

function tokensText({ countedTokens, tokens }: RequestLine): string {
  return countedTokens === null ? `~${shortCount(tokens)}` : shortCount(countedTokens);
}

function windowText(line: RequestLine): string {
  return line.window === null ? '–' : `${percent(usedTokens(line) / line.window)} of ${shortCount(line.window)}`;
}

const usedTokens = ({ countedTokens, tokens }: RequestLine): number => countedTokens ?? tokens;

function cacheShare({ actor, cache: { predicted, reported } }: RequestLine): string {
  if (actor === 'client') return '–';
  return reported === null ? `~${percent(predicted)}` : percent(reported);
}

const percent = (share: number): string => `${share > 0 && share < 0.01 ? '<1' : Math.round(100 * share)} %`;

/** One request in full. */
export function viewText(view: RequestView, paint: Paint): string {
  return [
    headText(view, paint),
    '',
    blocksTable(view.blocks, paint),
    ...view.blocks.filter(({ section }) => section !== 'tools').map((block) => blockSection(block, paint)),
    `\n${paint('cyan', `── answer${view.answeredSeq === null ? '' : ` (record ${view.answeredSeq})`}`)}`,
    plainText(view.wholeAnswer ?? 'None yet.'),
    `\n${paint('cyan', '── tools')}`,
    ...view.blocks.filter(({ section }) => section === 'tools').map(({ text }) => plainText(text)),
  ].join('\n');
}

function headText(view: RequestView, paint: Paint): string {
  const { number, agent, run, step, state, visit, seq } = view;
  const where = step === null ? '' : ` (${step})`;
  const lines: (readonly [string, string])[] = [
    [
      'request',
      `${number} of ${agent} in ${run}${where}: state ${state}, visit ${visit}, call ${callText(view)}, record ${seq}`,
    ],
    ...(view.inheritedFrom === undefined ? [] : [['made by', `${view.inheritedFrom}, before the fork`] as const]),
    [view.actor, `${view.model} ${JSON.stringify(view.settings)}`],
    ['window', windowBar(view)],
    ['cache', cacheText(view)],
    ['answer', view.failure === null ? (view.answer ?? 'none yet') : `failed with ${view.failure}`],
    ...(view.cut.length === 0 ? [] : [['cut', view.cut.join('; ')] as const]),
    ['prefix', view.difference === null ? 'the first request of this agent' : differenceText(view.difference)],
    ...view.notes.map((text) => ['note', text] as const),
  ];
  return lines
    .map(([name, text]) => `${paint('dim', name.padEnd(8))} ${plainText(text).replaceAll('\n', `\n${' '.repeat(9)}`)}`)
    .join('\n');
}

const BAR = 30;

function windowBar(line: RequestLine): string {
  const { tokens, countedTokens, window } = line;
  if (line.actor === 'client')
    return `about ${shortCount(tokens)} tokens handed over; the program keeps its own conversation`;
  const estimate = `${shortCount(tokens)} tokens estimated`;
  const counted = countedTokens === null ? 'none reported' : `${shortCount(countedTokens)} reported by the provider`;
  if (window === null) return `${estimate}, ${counted}; the window is not known`;
  const filled = Math.min(BAR, Math.ceil((BAR * usedTokens(line)) / window));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${windowText(line)}: ${estimate}, ${counted}`;
}

function cacheText({ cache, actor }: RequestLine): string {
  if (actor === 'client') return 'kept by the program';
  const reported = cache.reported === null ? 'none reported' : `${percent(cache.reported)} reported by the provider`;
  return `${percent(cache.predicted)} expected, ${reported}`;
}

/** Where two requests part. */
export function differenceText({ with: other, same, isLonger, block, line, before, now }: RequestDifference): string {
  if (isLonger) return `begins as request ${other} (${same} blocks)`;
  return [
    `differs from request ${other} in block ${same + 1} (${block}), line ${line}:`,
    `- ${before}`,
    `+ ${now}`,
  ].join('\n');
}

function blocksTable(blocks: readonly TracedBlock[], paint: Paint): string {
  const tools = blocks.filter(({ section }) => section === 'tools');
  const rest = blocks.filter(({ section }) => section !== 'tools');
  const sum = tools.reduce((tokens, block) => tokens + block.tokens, 0);
  const rows = [
    ...(tools.length === 0 ? [] : [[shortCount(sum), markOf(tools), `${tools.length} tools`, namesOf(tools)]]),
    ...rest.map((block) => [shortCount(block.tokens), markOf([block]), `${block.name} ${block.kind}`, block.origin]),
  ];
  const text = table([['~TOKENS', 'MARK', 'BLOCK', 'FROM'], ...rows], 160);
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
      `The first ${difference.same} blocks of requests ${one.number} and ${other.number} are the same (about ${shortCount(shared)} tokens).`,
      ...only(one, '-'),
      ...only(other, '+'),
    ].join('\n'),
  );
}
