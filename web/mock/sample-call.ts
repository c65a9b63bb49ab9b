import { setTimeout as wait } from 'node:timers/promises';
import type { CallOptions, CallReply, CallRequest } from '../../src/actors/port.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';

const WORDS =
  'First I look at what is there. The tests say what is wanted:\n\n- titles become **addresses**\n- accents become plain letters\n\n```ts\nexport const slug = (title: string) => title.toLowerCase();\n```\n\nThat is the whole of it.';

/** Speaks slowly, so that there is something to see. A reviewer is content the second time. */
export async function sampleCall(request: CallRequest, { signal, onText }: CallOptions): Promise<CallReply> {
  for (const word of WORDS.match(/\S+\s*/g) ?? []) {
    await wait(60, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return CANCELLED;
    onText?.(word);
  }
  return reply(request);
}

const CANCELLED: CallReply = {
  kind: 'failed',
  failure: { code: 'CANCELLED', class: 'cancelled', message: 'The call was cancelled.' },
};

function reply({ agent, visit }: CallRequest): CallReply {
  const verdict = {
    id: `v${visit}`,
    name: 'review_work',
    arguments: { good: visit > 1, note: 'The accents are missing.' },
  };
  return {
    kind: 'answered',
    content: agent === 'reviewer' ? 'I have read it.' : WORDS,
    toolCalls: agent === 'reviewer' ? [verdict] : [],
    usage: { ...NO_USAGE, inputTokens: 1840, outputTokens: 96, cacheReadTokens: 900, calls: 1 },
    costUsd: 0.0042,
    model: 'sample-1',
  };
}
