import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  cachedRequest,
  inputTokens,
  prefixCache,
  type CachedRequest,
  type PrefixCache,
} from '../../actors/model/prefix-cache.ts';
import type { RequestCache, RequestLine } from '../../protocol/request-trace.ts';
import { buildBody, type TracedBody, type TracePlace } from './build-body.ts';
import { CutList } from './cut-list.ts';
import type { TracedCall } from './traced-calls.ts';

/** A line for every request of the calls. Each is built again as it left, counted and let go. */
export async function traceRequests(calls: readonly TracedCall[], place: TracePlace): Promise<readonly RequestLine[]> {
  const lines: RequestLine[] = [];
  const caches = new Caches();
  const cuts = new CutList();
  const counts = new Map<string, number>();
  for (const call of calls) {
    const built = await buildBody(call, place);
    const request = cachedRequest(built.body);
    const { agent } = call.effect;
    const ofAgent = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, ofAgent);
    const tokens = inputTokens(request);
    const predicted = caches.read(call, { provider: built.provider, request }) / Math.max(1, tokens);
    lines.push(lineOf(call, built, { number: lines.length + 1, ofAgent, tokens, predicted, cut: cuts.before(call) }));
    // In a server others are served between two requests.
    await nextTurn();
  }
  return lines;
}

interface Sent {
  readonly provider: TracedBody['provider'];
  readonly request: CachedRequest;
}

/** What providers' caches hold at each call: the requests that were answered before it was made. */
class Caches {
  readonly #caches = new Map<string, PrefixCache>();
  /** Those that get their answer later. */
  #open: readonly (Sent & { readonly answeredAt: number })[] = [];

  /** Tokens of the request that are cached. */
  read({ announced, answered }: TracedCall, sent: Sent): number {
    const { done = [], open = [] } = Object.groupBy(this.#open, ({ answeredAt }) =>
      answeredAt <= announced.at ? 'done' : 'open',
    );
    for (const { provider, request } of done) this.#of(provider)?.write(request);
    this.#open = answered === null ? open : [...open, { ...sent, answeredAt: answered.at }];
    return this.#of(sent.provider)?.read(sent.request) ?? 0;
  }

  #of(provider: Sent['provider']): PrefixCache | null {
    if (provider === null) return null;
    const cache = this.#caches.get(provider) ?? prefixCache(provider);
    this.#caches.set(provider, cache);
    return cache;
  }
}

interface Counted extends Pick<RequestLine, 'number' | 'ofAgent' | 'tokens' | 'cut'> {
  readonly predicted: number;
}

function lineOf(call: TracedCall, built: TracedBody, { predicted, ...counted }: Counted): RequestLine {
  const { visit, state } = built.request;
  const { effect, announced, answered } = call;
  return {
    number: counted.number,
    ofAgent: counted.ofAgent,
    run: call.run,
    ...inheritance(call),
    agent: effect.agent,
    state,
    visit,
    call: effect.call,
    attempt: effect.attempt,
    seq: announced.seq,
    answeredSeq: answered?.seq ?? null,
    actor: built.actor,
    model: built.model,
    tokens: counted.tokens,
    window: built.window,
    cache: { predicted, reported: reportedShare(call) } satisfies RequestCache,
    cut: counted.cut,
  };
}

/** A fork holds the records of the run it comes from; only what it was answered itself are its own requests. */
function inheritance({ records, announced, answered }: TracedCall): Pick<RequestLine, 'inheritedFrom'> {
  const made = answered?.seq ?? records.at(-1)?.seq ?? announced.seq;
  const fork = records.find(({ seq, fact }) => fact.kind === 'run.forked' && seq > made)?.fact;
  return fork?.kind === 'run.forked' ? { inheritedFrom: fork.from.run } : {};
}

function reportedShare({ answered }: TracedCall): number | null {
  if (answered?.fact.kind !== 'call.answered') return null;
  const { inputTokens: input, cacheReadTokens: read } = answered.fact.usage;
  return input === 0 ? null : read / input;
}
