import { sharedLength } from '../../actors/model/prefix-tree.ts';
import { requestBlocks, type RequestBlock } from '../../actors/model/request-blocks.ts';
import type { JsonObject } from '../../core/json.ts';
import type { RequestDifference, RequestLine, RequestView } from '../../protocol/request-trace.ts';
import { BlockOrigins } from './block-origin.ts';
import { blockText } from './block-text.ts';
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
export function viewOf({ call, built, blocks, line }: WholeRequest, before: WholeRequest | null): RequestView {
  const origins = new BlockOrigins(call, built.request);
  return {
    ...line,
    settings: settingsOf(built.body),
    blocks: blocks.map((block) => ({
      section: block.section,
      name: block.name,
      kind: block.kind,
      origin: origins.of(block),
      text: blockText(block),
      tokens: block.tokens,
      isMarked: block.isMarked,
    })),
    difference: before === null ? null : differenceOf(before, { line, blocks }),
  };
}

const IN_BLOCKS: ReadonlySet<string> = new Set(['tools', 'system', 'messages', 'input']);

const settingsOf = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !IN_BLOCKS.has(name)));

const AROUND = 40;

type Compared = Pick<WholeRequest, 'line' | 'blocks'>;

/** The first place in which two requests differ. */
export function differenceOf(one: Compared, other: Compared): RequestDifference {
  let same = 0;
  while (same < one.blocks.length && one.blocks[same]?.text === other.blocks[same]?.text) same += 1;
  const [before, now] = [one.blocks[same]?.text ?? '', other.blocks[same]?.text ?? ''];
  const from = Math.max(0, sharedLength(before, now) - AROUND);
  const excerpt = (text: string): string => text.slice(from, from + 2 * AROUND);
  const isLonger = same === one.blocks.length;
  return { with: one.line.number, same, isLonger, before: excerpt(before), now: excerpt(now) };
}
