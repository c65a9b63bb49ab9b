import { requestBlocks, type RequestBlock } from '../../actors/model/request-blocks.ts';
import type { JsonObject } from '../../core/json.ts';
import type { RequestDifference, RequestLine, RequestView } from '../../protocol/request-trace.ts';
import { BlockOrigins } from './block-origin.ts';
import { blockText, toolNames } from './block-text.ts';
import { buildBody, type TracedBody, type TracePlace } from './build-body.ts';
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
export function viewOf(
  { call, built, blocks, line }: WholeRequest,
  { before, engine }: { readonly before: WholeRequest | null; readonly engine: string },
): RequestView {
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
      origin: origins.of(block),
      text: blockText(block, names),
      tokens: Math.round(block.tokens * share),
      isMarked: block.isMarked,
    })),
    difference: before === null ? null : differenceOf(before, { line, blocks }),
    todays: todaysParts(call, engine),
  };
}

/** Roles, orders and tools are recorded; a few sentences of the engine are not, and may have been worded otherwise. */
function todaysParts({ records }: TracedCall, engine: string): readonly string[] {
  const started = records.find(({ fact }) => fact.kind === 'run.started')?.fact;
  if (started?.kind !== 'run.started' || started.engine === engine) return [];
  return [
    `The run was started by ${started.engine}, and this is ${engine}: the text that all agents share, the tools of a turn (submit_output, report_progress) and sentences of the engine are worded as today.`,
  ];
}

const IN_BLOCKS: ReadonlySet<string> = new Set(['tools', 'system', 'messages', 'input']);

const settingsOf = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !IN_BLOCKS.has(name)));

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
