import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { RequestDifference, RequestLine, RequestView, TracedBlock } from '../../protocol/request-trace.ts';
import { countOption, flag, type Invocation, textOption, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from './carry-out.ts';
import { type Paint, paintFor } from '../terminal/colour.ts';
import { differenceOf, type WholeRequests } from '../../app/trace/view-request.ts';
import { requestList, requestNumbered, runRequests } from '../../app/views/requests-of.ts';
import { shortCount } from '../../core/look/amount-text.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';
import { printAnswer } from '../terminal/terminal.ts';

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

/** `troupe prompt trace RUN`: every request as it left, from the journal. */
export async function promptTrace(invocation: Invocation): Promise<number> {
  const named = { ...invocation, words: [word(invocation, 1) ?? 'last'] };
  return await withNamedRun(
    named,
    async (driving, { run }) => {
      const { all, whole } = await runRequests(driving, run);
      const agent = textOption(invocation, 'agent');
      await print(invocation, { all, lines: ofAgent(all, agent, run), agent, run }, whole);
      return EXIT.ok;
    },
    { allowsChild: true },
  );
}

function ofAgent(all: readonly RequestLine[], agent: string | undefined, run: string): readonly RequestLine[] {
  if (agent === undefined) return all;
  const own = all.filter((line) => line.agent === agent);
  if (own.length > 0) return own;
  const names = [...new Set(all.map((line) => line.agent))];
  throw new Fault('AGENT_UNKNOWN', `No agent named "${agent}" made a request in run ${run}.`, {
    hint: names.length === 0 ? 'The run made no requests.' : `Those that did: ${names.join(', ')}.`,
    facts: { agents: names },
  });
}

interface Listed {
  readonly all: readonly RequestLine[];
  /** Those of the agent that was named, or all. */
  readonly lines: readonly RequestLine[];
  readonly agent: string | undefined;
  readonly run: RunId;
}

async function print(invocation: Invocation, listed: Listed, whole: WholeRequests): Promise<void> {
  const { lines } = listed;
  const call = countOption(invocation, 'call');
  const diff = textOption(invocation, 'diff');
  if (diff !== undefined) return await printDiff(invocation, pickTwo(listed, diff), whole);
  if (call !== undefined) return await printRequest(invocation, pick(listed, call), whole);
  if (flag(invocation, 'raw')) throw new Fault('USAGE', '--raw prints one request.', { hint: 'Say which: --call 1' });
  const { terminal } = invocation;
  printAnswer(terminal, requestList(listed.run, lines), () =>
    lines.length === 0 ? 'The run made no requests.' : linesText(lines, terminal.stdout.columns || 140),
  );
}

async function printRequest(invocation: Invocation, line: RequestLine, whole: WholeRequests): Promise<void> {
  const { terminal } = invocation;
  if (flag(invocation, 'raw')) {
    const { built } = await whole.of(line);
    terminal.stdout.write(`${built.text}\n`);
    return;
  }
  const view = await whole.view(line);
  printAnswer(terminal, { kind: 'request', ...view }, () =>
    viewText(view, paintFor(terminal.stdout, terminal.environment)),
  );
}

type Two = readonly [RequestLine, RequestLine];

function pickTwo(listed: Listed, given: string): Two {
  const numbers = /^(\d+)[,.]+(\d+)$/.exec(given);
  if (numbers !== null) return [pick(listed, Number(numbers[1])), pick(listed, Number(numbers[2]))];
  throw new Fault('USAGE', `--diff takes the numbers of two requests; it is "${given}".`, {
    hint: 'For example: --diff 3,4',
  });
}

async function printDiff(invocation: Invocation, [one, other]: Two, whole: WholeRequests): Promise<void> {
  const difference = differenceOf(await whole.of(one), await whole.of(other));
  const { terminal } = invocation;
  // Only the text shows the requests around what is different.
  const text = terminal.mode.json ? '' : diffText(await whole.view(one), await whole.view(other), difference);
  printAnswer(terminal, { kind: 'request.difference', ...difference }, () => text);
}

/** By the number that the list prints, whichever agent is named. */
function pick({ all, lines, agent }: Listed, call: number): RequestLine {
  const found = requestNumbered(all, call);
  if (agent === undefined || found.agent === agent) return found;
  throw new Fault('USAGE', `Request ${call} is one of ${found.agent}, not of ${agent}.`, {
    hint: `Those of ${agent}: ${lines.map(({ number }) => number).join(', ')}.`,
  });
}
