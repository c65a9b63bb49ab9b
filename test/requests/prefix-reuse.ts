import { cachedRequest, inputTokens, prefixCache } from '../../src/actors/model/prefix-cache.ts';
import type { SentRequest } from './scripted-wire.ts';

export interface PrefixReuse {
  readonly requests: number;
  /** Estimated tokens of all requests, and how many of them a provider's cache holds. */
  readonly sent: number;
  readonly read: number;
}

/** Plays a log of requests against a provider's prompt cache, in the order in which they left and were answered. */
export function prefixReuse(log: readonly SentRequest[], provider: 'anthropic' | 'openai'): PrefixReuse {
  const cache = prefixCache(provider);
  const moments = log.flatMap((one) => {
    const request = cachedRequest(one.body);
    return [
      { at: one.sentAt, play: () => ({ sent: inputTokens(request), read: cache.read(request) }) },
      { at: one.answeredAt, play: () => (cache.write(request), { sent: 0, read: 0 }) },
    ];
  });
  const played = moments.toSorted((one, other) => one.at - other.at).map(({ play }) => play());
  const sum = (of: 'sent' | 'read'): number => played.reduce((total, one) => total + one[of], 0);
  return { requests: log.length, sent: sum('sent'), read: sum('read') };
}
