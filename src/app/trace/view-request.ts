import { requestBlocks, type RequestBlock } from '../../actors/model/request-blocks.ts';
import type { JsonObject } from '../../core/json.ts';
import type { RequestDifference, RequestLine, RequestView } from '../../protocol/request-trace.ts';
import { wholeAnswer } from './answer-text.ts';
import { BlockOrigins } from './block-origin.ts';
import { blockText, toolNames, toolOf } from './block-text.ts';
import { buildBody } from './build-body.ts';
import type { TracedBody, TracePlace } from './traced-body.ts';
import type { TracedCall } from './traced-calls.ts';

/** One request of a run with all of its content. */
export interface WholeRequest {
  readonly line: RequestLine;
  readonly call: TracedCall;
  readonly built: TracedBody;
  readonly blocks: readonly RequestBlock[];
}

/** Builds the request of a call, whose line is known, again as it left. */
export async function wholeRequest(call: TracedCall, line: RequestLine, place: TracePlace): Promise<WholeRequest> {
  const built = await buildBody(call, place);
  return { line, call, built, blocks: requestBlocks(built.body) };
}

/** `before`: the agent's request before it, in the same run. */
export function viewOf({ call, built, blocks, line }: WholeRequest, before: WholeRequest | null): RequestView {
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

/** What of it is not known. */
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
  'Nothing left this process: the model is scripted here. It is shown as an OpenAI-compatible endpoint would get it.';
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
