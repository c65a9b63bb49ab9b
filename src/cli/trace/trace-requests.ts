import {
  cachedRequest,
  inputTokens,
  prefixCache,
  sharedLength,
  type PrefixCache,
} from '../../actors/model/prefix-cache.ts';
import { requestBlocks, type RequestBlock } from '../../actors/model/request-blocks.ts';
import { compactionText } from '../../core/compaction-text.ts';
import type { Fact } from '../../core/fact.ts';
import type { TaskId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { RequestCache, RequestDifference, RequestLine, RequestView } from '../../protocol/request-trace.ts';
import { BlockOrigins } from './block-origin.ts';
import { blockText } from './block-text.ts';
import { buildBody, type TracedBody, type TracePlace } from './build-body.ts';
import type { TracedCall } from './traced-calls.ts';

/** One request of a run, with all that can be said about it. */
export interface TracedRequest {
  readonly call: TracedCall;
  readonly built: TracedBody;
  readonly blocks: readonly RequestBlock[];
  readonly line: RequestLine;
  /** The agent's request before it, in the same run. */
  readonly before: TracedRequest | null;
}

/** Every request of the calls, built again as they left. */
export async function traceRequests(
  calls: readonly TracedCall[],
  place: TracePlace,
): Promise<readonly TracedRequest[]> {
  const requests: TracedRequest[] = [];
  const caches = new Caches();
  const counts = new Map<string, number>();
  for (const call of calls) {
    const built = await buildBody(call, place);
    const { agent } = call.effect;
    const ofAgent = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, ofAgent);
    const predicted = caches.read(call, built);
    const before = requests.findLast((one) => one.call.run === call.run && one.call.effect.agent === agent) ?? null;
    const line = lineOf(call, built, { number: requests.length + 1, ofAgent, predicted });
    requests.push({ call, built, blocks: requestBlocks(built.body), line, before });
  }
  return requests;
}

/** What providers' caches hold at each call: the requests that were answered before it was made. */
class Caches {
  readonly #caches = new Map<string, PrefixCache>();
  #answered: { readonly call: TracedCall; readonly built: TracedBody }[] = [];

  /** The share of the request that is cached. */
  read(call: TracedCall, built: TracedBody): number {
    const now = call.announced.at;
    const [done, open] = [this.#answered.filter(isDone), this.#answered.filter((one) => !isDone(one))];
    function isDone(one: { readonly call: TracedCall }): boolean {
      return (one.call.answered?.at ?? Infinity) <= now;
    }
    for (const one of done) this.#of(one.built)?.write(cachedRequest(one.built.body));
    this.#answered = [...open, { call, built }];
    const request = cachedRequest(built.body);
    return (this.#of(built)?.read(request) ?? 0) / Math.max(1, inputTokens(request));
  }

  #of({ provider }: TracedBody): PrefixCache | null {
    if (provider === null) return null;
    const cache = this.#caches.get(provider) ?? prefixCache(provider);
    this.#caches.set(provider, cache);
    return cache;
  }
}

interface Counted {
  readonly number: number;
  readonly ofAgent: number;
  readonly predicted: number;
}

function lineOf(call: TracedCall, built: TracedBody, { number, ofAgent, predicted }: Counted): RequestLine {
  const { visit, state } = built.request;
  const { effect, announced, answered } = call;
  return {
    number,
    ofAgent,
    run: call.run,
    agent: effect.agent,
    state,
    visit,
    call: effect.call,
    attempt: effect.attempt,
    seq: announced.seq,
    answeredSeq: answered?.seq ?? null,
    actor: built.actor,
    model: built.model,
    tokens: inputTokens(cachedRequest(built.body)),
    window: built.window,
    cache: { predicted, reported: reportedShare(call) } satisfies RequestCache,
    cut: cutsBefore(call),
  };
}

function reportedShare({ answered }: TracedCall): number | null {
  if (answered?.fact.kind !== 'call.answered') return null;
  const { inputTokens: input, cacheReadTokens: read } = answered.fact.usage;
  return input === 0 ? null : read / input;
}

/** What was taken out of the agent's conversation before the call. */
function cutsBefore({ records, announced, definition, effect }: TracedCall): readonly string[] {
  const context = definition.workflow.agents.find(({ name }) => name === effect.agent)?.context;
  return records
    .filter(({ seq }) => seq <= announced.seq)
    .flatMap(({ seq, fact }) => {
      const text = cutText(fact, { context, task: effect.task });
      return text === null ? [] : [`${text} (record ${seq})`];
    });
}

/** A turn's own changes end with it; those of its conversation last. */
function cutText(fact: Fact, of: { readonly context: string | undefined; readonly task: TaskId }): string | null {
  switch (fact.kind) {
    case 'context.trimmed':
      return fact.context === of.context ? `${fact.dropped} messages left out` : null;
    case 'context.cleared':
      return fact.context === of.context ? 'conversation begun anew' : null;
    case 'results.cleared':
    case 'compaction.started':
    case 'turn.compacted':
      return fact.task === of.task ? compactionText(fact) : null;
    default:
      return null;
  }
}

export function viewOf({ call, built, blocks, line, before }: TracedRequest): RequestView {
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

/** The first place in which two requests differ. */
export function differenceOf(
  one: Pick<TracedRequest, 'line' | 'blocks'>,
  other: Pick<TracedRequest, 'line' | 'blocks'>,
): RequestDifference {
  let same = 0;
  while (same < one.blocks.length && one.blocks[same]?.text === other.blocks[same]?.text) same += 1;
  const [before, now] = [one.blocks[same]?.text ?? '', other.blocks[same]?.text ?? ''];
  const from = Math.max(0, sharedLength(before, now) - AROUND);
  const excerpt = (text: string): string => text.slice(from, from + 2 * AROUND);
  const isLonger = same === one.blocks.length;
  return { with: one.line.number, same, isLonger, before: excerpt(before), now: excerpt(now) };
}
