import { type RequestBlock, requestBlocks } from '../../actors/model/prefix-cache.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { RequestDifference, RequestLine, RequestView } from '../../protocol/request-trace.ts';
import { BlockOrigins, blockText, toolNames, toolOf } from './block-text.ts';
import { buildBody, type TracedBody, type TracePlace } from './build-body.ts';
import type { TracedCall } from './traced-calls.ts';
import { Fault } from '../../core/model/fault.ts';
import type { CallAnswered, CallFailed } from '../../core/record/call-fact.ts';
import { oneLine } from '../../protocol/plain-text.ts';

type Answer = CallAnswered | CallFailed | undefined;

/** The answer in short: the beginning of the text, and the called tools. Null if it is empty. */
export function shortAnswer(answer: Answer): string | null {
  if (answer?.kind !== 'call.answered') return null;
  const said = oneLine(answer.message.content.trim(), MOST_CHARACTERS);
  return [...(said === '' ? [] : [said]), ...callsOf(answer).map(({ name, fate }) => `→ ${name}${fate}`)].join(' ');
}

/** All of it. */
function wholeAnswer(answer: Answer): string | null {
  if (answer?.kind === 'call.failed') return `failed with ${answer.failure.code}: ${answer.failure.message}`;
  if (answer === undefined) return null;
  const calls = callsOf(answer).map(({ name, fate, given }) => `→ ${name}${fate} ${JSON.stringify(given)}`);
  return [answer.message.content, ...calls].filter((part) => part !== '').join('\n');
}

const MOST_CHARACTERS = 40;

/** The calls, with those marked that were not taken. */
function callsOf({ message, rejected = {}, refused = {} }: CallAnswered) {
  const isIn = (list: Readonly<Record<string, string>>, id: string): boolean => Object.hasOwn(list, id);
  return (message.toolCalls ?? []).map(({ id, name, arguments: given }) => {
    const fate = isIn(rejected, id) ? ' (does not fit its schema)' : isIn(refused, id) ? ' (not accepted)' : '';
    return { name, given, fate };
  });
}

/** One request of a run with all of its content. */
interface WholeRequest {
  readonly line: RequestLine;
  readonly call: TracedCall;
  readonly built: TracedBody;
  readonly blocks: readonly RequestBlock[];
}

/** Builds the request of a call, whose line is known, again as it left. */
async function wholeRequest(call: TracedCall, line: RequestLine, place: TracePlace): Promise<WholeRequest> {
  const built = await buildBody(call, place);
  return { line, call, built, blocks: requestBlocks(built.body) };
}

/** `before`: the agent's request before it, in the same run. */
function viewOf({ call, built, blocks, line }: WholeRequest, before: WholeRequest | null): RequestView {
  const origins = new BlockOrigins(call, built.request, built.tools);
  const names = toolNames(blocks);
  // Parts of the same estimate, so that they add up to it.
  const share =
    line.tokens /
    Math.max(
      1,
      blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    );
  return {
    ...line,
    settings: settingsOf(built.body),
    blocks: blocks.map((block) => ({
      section: block.section,
      name: block.name,
      kind: block.kind,
      origin: [origins.of(block), ...toolOf(block, names)].join(': '),
      text: blockText(block, names),
      tokens: Math.round(block.tokens * share),
      isMarked: block.isMarked,
    })),
    wholeAnswer: wholeAnswer(call.answered?.fact),
    difference: before === null ? null : differenceOf(before, { line, blocks }),
    notes: notesOn(call, built),
  };
}

/** Notes on the unknown parts. */
function notesOn({ answered }: TracedCall, { actor, isRecorded, isScripted }: TracedBody): readonly string[] {
  const rebuilt = isScripted ? NOT_SENT : NOT_RECORDED;
  return [
    ...(isRecorded ? [] : [answered === null ? UNANSWERED : rebuilt]),
    ...(actor === 'client' ? [OWN_PROMPT] : []),
  ];
}

const UNANSWERED =
  "The journal has no answer to this request, and a request is recorded with its answer. It is shown as it would be sent today: with today's settings and wording.";
const NOT_SENT =
  'No request was sent: the model is scripted. It is shown as an OpenAI-compatible endpoint would get it.';
const NOT_RECORDED = "The journal does not hold this request. It is built again with today's settings and wording.";
const OWN_PROMPT =
  'The program adds its own system prompt, its own tools and its conversation so far. Troupe does not see them.';

/** Shown elsewhere, or the same in all requests. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['tools', 'system', 'messages', 'input', 'model', 'stream']);

const settingsOf = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !NO_SETTINGS.has(name)));

type Compared = Pick<WholeRequest, 'line' | 'blocks'>;

/** The first place in which two requests differ. */
export function differenceOf(one: Compared, other: Compared): RequestDifference {
  let same = 0;
  while (same < one.blocks.length && one.blocks[same]?.text === other.blocks[same]?.text) same += 1;
  const [before, now] = [one.blocks[same], other.blocks[same]];
  const { section, name } = now ?? before ?? { section: 'end', name: '' };
  const isLonger = same === one.blocks.length;
  return {
    with: one.line.number,
    same,
    isLonger,
    block: `${section} ${name}`.trim(),
    ...lineApart(textIn(before, one.blocks), textIn(now, other.blocks)),
  };
}

const textIn = (block: RequestBlock | undefined, blocks: readonly RequestBlock[]): string =>
  block === undefined ? '' : blockText(block, toolNames(blocks));

/** The first line that differs, as people read it. */
function lineApart(one: string, other: string): Pick<RequestDifference, 'line' | 'before' | 'now'> {
  const [before, now] = [one.split('\n'), other.split('\n')];
  const found = now.findIndex((line, at) => line !== before[at]);
  const at = found === -1 ? Math.min(now.length, before.length - 1) : found;
  return { line: at + 1, before: before[at] ?? '', now: now[at] ?? '' };
}

/** The requests of a run in full, by their lines. Only those that are asked for are built. */
export class WholeRequests {
  readonly #lines: readonly RequestLine[];
  readonly #read: () => Promise<readonly TracedCall[]>;
  readonly #place: TracePlace;
  #calls: Promise<readonly TracedCall[]> | null = null;

  constructor(lines: readonly RequestLine[], calls: () => Promise<readonly TracedCall[]>, place: TracePlace) {
    this.#lines = lines;
    this.#read = calls;
    this.#place = place;
  }

  async of(line: RequestLine): Promise<WholeRequest> {
    this.#calls ??= this.#read();
    const calls = await this.#calls;
    const call = calls.find(({ run, announced }) => run === line.run && announced.seq === line.seq);
    // A running turn may have rebuilt its request since the lines were made.
    if (call === undefined)
      throw new Fault('USAGE', `Request ${line.number} was created again meanwhile.`, { hint: 'Ask again.' });
    return await wholeRequest(call, line, this.#place);
  }

  async view(line: RequestLine): Promise<RequestView> {
    const { run, agent, number } = line;
    const before = this.#lines.findLast((one) => one.number < number && one.run === run && one.agent === agent);
    return viewOf(await this.of(line), before === undefined ? null : await this.of(before));
  }
}
