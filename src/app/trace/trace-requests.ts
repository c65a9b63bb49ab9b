import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  cachedRequest,
  type CachedRequest,
  inputTokens,
  prefixCache,
  type PrefixCache,
} from '../../actors/model/prefix-cache.ts';
import type { RequestCache, RequestLine } from '../../protocol/request-trace.ts';
import { buildBody, type TracedBody, type TracePlace } from './build-body.ts';
import { shortAnswer } from './view-request.ts';
import { isSummary, type TracedCall, tracedCalls } from './traced-calls.ts';
import { compactionText } from '../../core/look/compaction-text.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { rootRunId, type RunId, type TaskId } from '../../core/model/ids.ts';
import { contentHash } from '../../journal/content-hash.ts';
import { runsBelow } from '../runs/tree-reader.ts';
import type { Store } from '../world/store.ts';

/** Messages removed from agents' conversations. The records of each run are searched once. */
class CutList {
  readonly #cuts = new Map<RunId, readonly JournalRecord[]>();

  /** Messages removed from the agent's conversation before the call. */
  before({ run, records, announced, definition, effect }: TracedCall): readonly string[] {
    const context = definition.workflow.agents.find(({ name }) => name === effect.agent)?.context;
    const cuts = this.#cuts.get(run) ?? records.filter(({ fact }) => CUTTING.has(fact.kind));
    this.#cuts.set(run, cuts);
    return cuts
      .filter(({ seq }) => seq <= announced.seq)
      .flatMap(({ seq, fact }) => {
        const text = cutText(fact, { context, task: effect.task });
        return text === null ? [] : [`${text} (record ${seq})`];
      });
  }
}

const CUTTING: ReadonlySet<Fact['kind']> = new Set([
  'context.trimmed',
  'context.cleared',
  'results.cleared',
  'compaction.started',
  'turn.compacted',
]);

/** A turn's own changes end with it; those of its conversation last. */
function cutText(fact: Fact, of: { readonly context: string | undefined; readonly task: TaskId }): string | null {
  switch (fact.kind) {
    case 'context.trimmed':
      return fact.context === of.context ? `${fact.dropped} messages left out` : null;
    case 'context.cleared':
      return fact.context === of.context ? 'conversation restarted' : null;
    case 'results.cleared':
    case 'compaction.started':
    case 'turn.compacted':
      return fact.task === of.task ? compactionText(fact) : null;
    default:
      return null;
  }
}

/** A line for every request of the calls. */
export const traceRequests = async (calls: readonly TracedCall[], place: TracePlace): Promise<readonly RequestLine[]> =>
  await new RequestTrace().update(calls, place);

/**
 * The requests of a run as it grows. A request is built again as it left, counted and let go; once it is answered, that is
 * done for the last time.
 */
class RequestTrace {
  readonly #caches = new Caches();
  #traced: ReadonlyMap<string, Traced> = new Map();

  /** `calls`: all of the run, with those of the last time. */
  async update(calls: readonly TracedCall[], place: TracePlace): Promise<readonly RequestLine[]> {
    const cuts = new CutList();
    const traced = new Map<string, Traced>();
    for (const call of calls) {
      const key = `${call.run} ${call.announced.seq}`;
      const known = this.#traced.get(key);
      if (known?.isAnswered === true) traced.set(key, known);
      else
        traced.set(
          key,
          await this.#trace(call, known, { built: await buildBody(call, place), cut: cuts.before(call) }),
        );
    }
    this.#traced = traced;
    return numbered([...traced.values()]);
  }

  async #trace(call: TracedCall, known: Traced | undefined, { built, cut }: Rebuilt): Promise<Traced> {
    const sent = { provider: built.provider, request: cachedRequest(built.body) };
    const all = Math.max(1, inputTokens(sent.request));
    // Later answers change no earlier prediction; the answer may name a model that the settings no longer do.
    const read = known?.line.model === built.model ? known.read : this.#caches.read(call, sent);
    if (call.answered !== null) this.#caches.answer(sent, call.answered.at);
    // In a server others are served between two requests.
    await nextTurn();
    const line = lineOf(call, built, { predicted: read / all, cut });
    return { line, read, isAnswered: call.answered !== null };
  }
}

interface Rebuilt extends Pick<RequestLine, 'cut'> {
  readonly built: TracedBody;
}

interface Traced {
  readonly line: Omit<RequestLine, 'number'>;
  /** Tokens of it that a cache should have had. */
  readonly read: number;
  readonly isAnswered: boolean;
}

const numbered = (traced: readonly Traced[]): readonly RequestLine[] =>
  traced.map(({ line }, at) => ({ number: at + 1, ...line }));

interface Sent {
  readonly provider: TracedBody['provider'];
  readonly request: CachedRequest;
}

/** Providers' caches at each call: the requests that were answered before it. */
class Caches {
  readonly #caches = new Map<string, PrefixCache>();
  /** Answered, and not in the caches yet: a call that was made earlier may still ask. */
  #answered: readonly (Sent & { readonly at: number })[] = [];

  answer(sent: Sent, at: number): void {
    this.#answered = [...this.#answered, { ...sent, at }];
  }

  /** Tokens of the request that are cached. */
  read({ announced }: TracedCall, { provider, request }: Sent): number {
    const { done = [], open = [] } = Object.groupBy(this.#answered, ({ at }) => (at <= announced.at ? 'done' : 'open'));
    for (const one of done) this.#of(one.provider)?.write(one.request);
    this.#answered = open;
    return this.#of(provider)?.read(request) ?? 0;
  }

  #of(provider: Sent['provider']): PrefixCache | null {
    if (provider === null) return null;
    const cache = this.#caches.get(provider) ?? prefixCache(provider);
    this.#caches.set(provider, cache);
    return cache;
  }
}

interface Judged extends Pick<RequestLine, 'cut'> {
  readonly predicted: number;
}

function lineOf(call: TracedCall, built: TracedBody, { predicted, cut }: Judged): Traced['line'] {
  const { visit, state } = built.request;
  const { effect, announced, answered } = call;
  return {
    run: call.run,
    step: call.step,
    ...inheritance(call),
    agent: effect.agent,
    state,
    visit,
    call: effect.call,
    attempt: call.attempt,
    isSummary: isSummary(call),
    seq: announced.seq,
    answeredSeq: answered?.seq ?? null,
    failure: answered?.fact.kind === 'call.failed' ? answered.fact.failure.code : null,
    answer: shortAnswer(answered?.fact),
    actor: built.actor,
    model: built.model,
    tokens: built.tokens,
    countedTokens: countedTokens(call, built),
    window: built.window,
    cache: { predicted, reported: reportedShare(call) } satisfies RequestCache,
    cut,
  };
}

/** A fork holds the records of the run it comes from; only what it was answered itself are its own requests. */
function inheritance({ records, announced, answered }: TracedCall): Pick<RequestLine, 'inheritedFrom'> {
  const made = answered?.seq ?? records.at(-1)?.seq ?? announced.seq;
  const fork = records.find(({ seq, fact }) => fact.kind === 'run.forked' && seq > made)?.fact;
  return fork?.kind === 'run.forked' ? { inheritedFrom: fork.from.run } : {};
}

/** A client reports the sum over its own calls, which says nothing about what was handed to it. */
function countedTokens({ answered }: TracedCall, { actor }: TracedBody): number | null {
  const input = answered?.fact.kind === 'call.answered' ? answered.fact.usage.inputTokens : 0;
  return actor === 'client' || input === 0 ? null : input;
}

function reportedShare({ answered }: TracedCall): number | null {
  if (answered?.fact.kind !== 'call.answered') return null;
  const { inputTokens: input, cacheReadTokens: read } = answered.fact.usage;
  return input === 0 ? null : read / input;
}

interface KnownLines {
  /** How models are configured: what the requests are built with, besides the records. */
  readonly settings: string;
  readonly trace: RequestTrace;
  /** Stands for all records that the lines are made of. */
  readonly tips: string;
  readonly lines: Promise<readonly RequestLine[]>;
}

/** Of the runs that were looked at last in this process: a server is asked for the same ones again and again. */
const KNOWN = new Map<string, KnownLines>();

const MOST = 8;

/** A line for every request of a run and of those below it. As records are added, only what is new is built. */
export async function requestLines(
  { home, journal }: Store,
  run: RunId,
  place: TracePlace,
): Promise<readonly RequestLine[]> {
  const key = `${home} ${run}`;
  const { config, overrides, cast } = place.actors;
  const settings = contentHash(JSON.stringify([config, overrides, cast]));
  // The shared text comes from the run at the top, so the whole tree counts.
  const runs = await runsBelow(journal, rootRunId(run));
  const tips = contentHash(JSON.stringify(runs.map((one) => [one.run, one.tip])));
  const kept = KNOWN.get(key);
  const known = kept?.settings === settings ? kept : undefined;
  if (known?.tips === tips) return await known.lines;
  const trace = known?.trace ?? new RequestTrace();
  const lines = Promise.resolve(known?.lines).then(async () => trace.update(await tracedCalls(journal, run), place));
  const made = { settings, trace, tips, lines };
  KNOWN.delete(key);
  KNOWN.set(key, made);
  for (const oldest of [...KNOWN.keys()].slice(0, -MOST)) KNOWN.delete(oldest);
  lines.catch(() => KNOWN.get(key) === made && KNOWN.delete(key));
  return await lines;
}
