import { expect, test } from 'vitest';
import { metaOf, replyParts } from './prompt.ts';
import type { ReplyPart } from './wire.ts';

const SOURCE = { provider: 'anthropic', model: 'm' };
const parts: readonly ReplyPart[] = [
  { kind: 'reasoning', text: 'Hm.', options: { anthropic: { signature: 's1' } } },
  { kind: 'text', text: 'One. ' },
  { kind: 'call', id: 'c1', options: { anthropic: { caller: 'direct' } } },
  { kind: 'text', text: 'Two.' },
];
const message = {
  content: 'One. Two.',
  toolCalls: [{ id: 'c1', name: 'list', arguments: {} }],
  meta: metaOf(parts, SOURCE) ?? null,
};

test('[U4] meta gives back the parts in their order, without holding text or arguments twice', () => {
  expect(replyParts(message, SOURCE)).toEqual(parts);
  expect(JSON.stringify(message.meta)).not.toContain('One');
});

test('[U4] words and calls alone need no meta', () => {
  expect(
    metaOf(
      [
        { kind: 'text', text: 'Hi.' },
        { kind: 'call', id: 'c1' },
      ],
      SOURCE,
    ),
  ).toBeUndefined();
});

test.each([
  ['another model', { ...SOURCE, model: 'n' }, message],
  ['another provider', { ...SOURCE, provider: 'openai' }, message],
  ['changed words', SOURCE, { ...message, content: 'One. Two. Three.' }],
  ['damaged meta', SOURCE, { ...message, meta: { provider: 'anthropic', model: 'm', parts: [{ kind: 'other' }] } }],
])('[U4] %s: only the words and the calls are left', (_, source, said) => {
  expect(replyParts(said, source)).toEqual([
    { kind: 'text', text: said.content },
    { kind: 'call', id: 'c1' },
  ]);
});
