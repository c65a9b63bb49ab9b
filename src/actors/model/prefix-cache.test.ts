import { describe, expect, test } from 'vitest';
import { cachedRequest, inputTokens, prefixCache, type CachedRequest } from './prefix-cache.ts';

const say = (role: string, text: string, isMarked = false) => ({
  role,
  content: [{ type: 'text', text, ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}) }],
});

/** The conversation after so many answers, marked at its end. */
const conversation = (answers: number, model = 'm') =>
  cachedRequest({
    model,
    system: 'Be brief. '.repeat(400),
    messages: [
      ...Array.from({ length: answers }, (_, at) => say('assistant', `Answer ${at}. ${'x'.repeat(300)}`)),
      say('user', `Now ${answers}.`, true),
    ],
  });

describe('[A5] what a prompt cache holds', () => {
  test('an automatic cache holds the longest beginning of any earlier request, inside a block as well', () => {
    const cache = prefixCache('openai');
    const asked = (text: string, model = 'm') => cachedRequest({ model, messages: [say('user', text)] });
    const long = 'a'.repeat(6000);
    for (const text of [`${long}b`, `${long}${'c'.repeat(1200)}`, 'z']) cache.write(asked(text));
    const { tokens = 0 } = asked(`${long}${'c'.repeat(600)}d`).blocks[0] ?? {};
    const held = cache.read(asked(`${long}${'c'.repeat(600)}d`));
    expect(held).toBeGreaterThan(0.9 * tokens - 128);
    expect(held % 128).toBe(0);
    expect(cache.read(asked(`${long}a`))).toBeLessThan(held);
    expect(cache.read(asked(`${long}b`, 'another'))).toBe(0);
    expect(cache.read(asked('b'))).toBe(0);
  });

  test.each(['openai', 'anthropic'] as const)(
    '%s: each block of a request is read a few times, however many came before',
    (provider) => {
      const readsOf = (calls: number): number => {
        const cache = prefixCache(provider);
        let reads = 0;
        let blocks = 0;
        for (let call = 0; call < calls; call += 1) {
          const request = counted(conversation(call), () => (reads += 1));
          blocks += request.blocks.length;
          cache.read(request);
          cache.write(request);
        }
        return reads / blocks;
      };
      expect(readsOf(80)).toBeLessThanOrEqual(4);
      expect(readsOf(80)).toBeLessThanOrEqual(1.05 * readsOf(20));
    },
  );

  test.each(['openai', 'anthropic'] as const)(
    '%s: a request that was sent before is held as far as its marks or steps',
    (provider) => {
      const cache = prefixCache(provider);
      cache.write(conversation(12));
      const again = cache.read(conversation(12));
      expect(inputTokens(conversation(12)) - again).toBeLessThan(128);
      expect(cache.read(conversation(12, 'another'))).toBe(0);
    },
  );
});

/** The same request; whenever the text of one of its blocks is read, that is counted. */
const counted = (request: CachedRequest, count: () => void): CachedRequest => ({
  ...request,
  blocks: request.blocks.map((block) => ({
    ...block,
    get text() {
      count();
      return block.text;
    },
  })),
});
