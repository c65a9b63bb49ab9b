import type { RequestLine } from '../../../src/protocol/request-trace.ts';

/** Where in the run a request was made. */
export const requestPlace = ({ state, visit, call, attempt }: RequestLine): string =>
  `${state}, visit ${visit}, call ${call}${attempt > 1 ? `, attempt ${attempt}` : ''}`;

/** What the provider read from its cache, as it reported; where there is no report, what is expected. */
export function cacheWords({ actor, cache: { predicted, reported } }: RequestLine): string {
  if (actor === 'client') return 'cache kept by the client';
  if (reported === null) return `${percent(predicted)} expected from cache`;
  return reported === 0 ? 'no cache read reported' : `${percent(reported)} read from cache`;
}

/** The expectation beside what was reported; empty where that stands already, or none can be had. */
export const expectedWords = ({ actor, cache: { predicted, reported } }: RequestLine): string =>
  actor === 'client' || reported === null ? '' : `, ${percent(predicted)} expected`;

const percent = (share: number): string => `${share > 0 && share < 0.01 ? '<1' : Math.round(100 * share)} %`;
