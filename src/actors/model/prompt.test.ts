import { describe, expect, test } from 'vitest';
import type { SeenMessage } from '../../core/look/view.ts';
import { sampleRequest, sampleRole } from '../actor.contract.ts';
import { promptFor } from './prompt.ts';

const SOURCE = { provider: 'openai-compatible', model: 'm' };
const prompt = (messages: readonly SeenMessage[]) => promptFor(sampleRequest({ messages }), SOURCE);
const user = (content: string): SeenMessage => ({ role: 'user', content });
/** How a conversation says it. */
const order = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (content: string): SeenMessage => ({ role: 'assistant', content });
const calling: SeenMessage = {
  role: 'assistant',
  content: 'I look.',
  toolCalls: [
    { id: 'c1', name: 'list', arguments: {} },
    { id: 'c2', name: 'read', arguments: 'no json' },
  ],
};

describe('[U4] a conversation in the shape strict endpoints take', () => {
  test('[U4] messages of the user side in a row become one, with a blank line between', () => {
    expect(prompt([user('One.'), user(''), user('Two.')]).messages).toEqual([order('One.\n\nTwo.')]);
  });

  test('[U4] words of the agent in a row become one message', () => {
    const { messages } = prompt([user('Go.'), assistant('One.'), assistant('Two.'), user('And?')]);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toEqual([
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ]);
  });

  test('[SM7] system messages at the start join the role, later ones come marked from the user side', () => {
    const { system, messages } = prompt([
      { role: 'system', content: 'Be brief.' },
      user('Go.'),
      { role: 'system', content: 'Be quick.' },
    ]);
    expect(system).toEqual([{ role: 'system', content: 'You write code.\n\nBe brief.' }]);
    expect(messages).toEqual([order('Go.\n\n[system] Be quick.')]);
  });

  test.each([
    ['anthropic', ['You are in a sandbox.', 'You write code.']],
    ['openai', ['You are in a sandbox.', 'You write code.']],
    ['openai-compatible', ['You are in a sandbox.\n\nYou write code.']],
  ])('[A5] shared text comes before the role, for %s', (provider, texts) => {
    const request = sampleRequest({ shared: 'You are in a sandbox.' });
    const { system } = promptFor(request, { provider, model: 'm' });
    expect(system.map(({ content }) => content)).toEqual(texts);
  });

  test('[A5] the name of the agent stands behind its first order, in every later request too', () => {
    const introduction = 'Your name in this team is rev_1.';
    const parts = (messages: readonly SeenMessage[]) =>
      promptFor(sampleRequest({ messages, introduction }), { provider: 'anthropic', model: 'm' }).messages;
    const order = {
      role: 'user',
      content: [
        { type: 'text', text: 'The work.' },
        { type: 'text', text: introduction },
      ],
    };
    expect(parts([user('The work.')])).toEqual([order]);
    expect(parts([user('The work.'), assistant('Good.'), user('Again.')])[0]).toEqual(order);
  });

  test('[A8] a conversation that begins with own words gets the name before them, and no other words', () => {
    const introduction = 'Your name in this team is rev_1.';
    const { messages } = promptFor(sampleRequest({ messages: [assistant('Good.')], introduction }), SOURCE);
    expect(messages[0]).toEqual(order(introduction));
  });

  test('[SM7] examples stand before the conversation', () => {
    const role = {
      ...sampleRole,
      examples: [
        { author: 'person', role: 'user', content: 'Example?' },
        { author: 'coder', role: 'assistant', content: 'Example.' },
      ] as const,
    };
    const { messages } = promptFor(sampleRequest({ role, messages: [user('Real?')] }), SOURCE);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('[U4] results of one round share a message, failed ones are marked, and bad arguments stay readable', () => {
    const { messages } = prompt([
      user('Go.'),
      calling,
      { role: 'tool', content: 'a.ts', toolCallId: 'c1', toolName: 'list' },
      { role: 'tool', content: 'Not JSON.', toolCallId: 'c2', toolName: 'read', isError: true },
    ]);
    expect(messages[1]?.content).toMatchObject([
      { type: 'text' },
      { type: 'tool-call', toolCallId: 'c1', input: {} },
      { type: 'tool-call', toolCallId: 'c2', input: { unparsed: 'no json' } },
    ]);
    expect(messages[2]).toMatchObject({
      role: 'tool',
      content: [
        { toolCallId: 'c1', toolName: 'list', output: { type: 'text', value: 'a.ts' } },
        { toolCallId: 'c2', toolName: 'read', output: { type: 'error-text', value: 'Not JSON.' } },
      ],
    });
  });

  test('[SM2] a result without its call becomes words, a call without its result gets one', () => {
    const { messages } = prompt([
      { role: 'tool', content: 'old', toolCallId: 'c0', toolName: 'list' },
      calling,
      { role: 'tool', content: 'a.ts', toolCallId: 'c1', toolName: 'list' },
      user('Stopped.'),
    ]);
    expect(messages[0]).toEqual(order('[list] returned: old'));
    expect(messages[2]).toMatchObject({
      content: [{ toolCallId: 'c1' }, { toolCallId: 'c2', output: { type: 'error-text' } }],
    });
    expect(messages[3]).toEqual(order('Stopped.'));
  });

  test('[U4] [A5] it begins with the user, and nothing is added at its end that the next request would not have', () => {
    const first = prompt([assistant('Hello.')]).messages;
    expect(first.map((message) => message.role)).toEqual(['user', 'assistant']);
    const next = prompt([assistant('Hello.'), user('More.'), assistant('Here.')]).messages;
    expect(next.slice(0, first.length)).toEqual(first);
  });
});
