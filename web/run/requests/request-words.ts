import { shortCount } from '../../../src/core/look/amount-text.ts';
import type { RequestLine } from '../../../src/protocol/request-trace.ts';

/** Where in the run a request was made. */
export function requestPlace({ step, state, visit, call, attempt, isSummary }: RequestLine): string {
  const kind = isSummary ? ', asks for a summary' : '';
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${step === null ? '' : `${step}: `}${state}, visit ${visit}, call ${call}${kind}${again}`;
}

/** Short, for the list: an estimate has its mark. */
export const tokenWords = ({ tokens, countedTokens }: RequestLine): string =>
  countedTokens === null ? `~${shortCount(tokens)} tokens` : `${shortCount(countedTokens)} tokens`;

/** The provider's own count beside the estimate that the engine decided by. */
export function sizeWords(line: RequestLine): string {
  const { tokens, countedTokens, window } = line;
  const all = window === null ? '' : ` of a window of ${shortCount(window)}`;
  const estimate = `${shortCount(tokens)} tokens estimated`;
  return countedTokens === null
    ? `${estimate}${all}`
    : `${shortCount(countedTokens)} tokens${all} by the provider's count, ${estimate}`;
}

/** The one to show before any is chosen: the first that failed, else the first. */
export const firstShown = (lines: readonly RequestLine[]): RequestLine | null =>
  lines.find(({ failure }) => failure !== null) ?? lines[0] ?? null;

/** The tokens from the provider's cache, as reported, else as predicted. */
export function cacheWords({ actor, cache: { predicted, reported } }: RequestLine): string {
  if (actor === 'client') return 'cache kept by the client';
  if (reported === null) return `${percent(predicted)} expected from cache`;
  return reported === 0 ? 'no cache read reported' : `${percent(reported)} read from cache`;
}

/** The expectation beside what was reported; empty where that stands already, or none can be had. */
export const expectedWords = ({ actor, cache: { predicted, reported } }: RequestLine): string =>
  actor === 'client' || reported === null ? '' : `, ${percent(predicted)} expected`;

const percent = (share: number): string => `${share > 0 && share < 0.01 ? '<1' : Math.round(100 * share)} %`;
