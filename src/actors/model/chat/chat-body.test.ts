import { expect, test } from 'vitest';
import { sampleRequest, sampleRole } from '../../actor.contract.ts';
import type { CallRequest } from '../../port.ts';
import type { ModelConfig } from '../model-config.ts';
import { requestBody } from '../request-body.ts';

const MODEL: ModelConfig = {
  name: 'mine',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'mine-1',
};
const LIST = {
  name: 'list',
  description: 'Lists.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

async function bodyText(request: CallRequest, change: Partial<ModelConfig> = {}): Promise<string> {
  const { body } = await requestBody({ ...MODEL, ...change }, () => request);
  return JSON.stringify(body, null, 1);
}

test('[U4] a conversation with reasoning, calls and results is a chat in the order it happened', async () => {
  const meta = {
    provider: 'openai-compatible',
    model: 'mine-1',
    parts: [
      { kind: 'reasoning', text: 'Let me see.' },
      { kind: 'text', length: 7 },
      { kind: 'call', id: 'a', options: { endpoint: { thoughtSignature: 'seal' } } },
      { kind: 'call', id: 'b' },
    ],
  };
  const request = sampleRequest({
    shared: 'All of you work together.',
    role: {
      ...sampleRole,
      systemMessage: 'You write code.',
      examples: [{ role: 'assistant', author: 'ada', content: 'Example.' }],
    },
    messages: [
      { role: 'user', content: 'Begin with ä.' },
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [
          { id: 'a', name: 'list', arguments: {} },
          { id: 'b', name: 'list', arguments: { deep: [1, 'two'] } },
        ],
        meta,
      },
      { role: 'tool', content: 'x y', toolCallId: 'a', toolName: 'list' },
      { role: 'user', content: 'Go on.' },
      { role: 'user', content: 'Quickly.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'list', arguments: 'no object' }] },
      { role: 'tool', content: 'No such folder.', toolCallId: 'c', toolName: 'list', isError: true },
    ],
    tools: [LIST],
  });
  expect(await bodyText(request)).toMatchSnapshot();
});

test('[U4] settings of the model are fields of the chat', async () => {
  const settings = { temperature: 0.5, maxOutputTokens: 77 };
  expect(await bodyText(sampleRequest(), { ...settings, effort: 'off' })).toMatchSnapshot('without thinking');
  expect(await bodyText(sampleRequest(), { effort: 'max' })).toMatchSnapshot('with much of it');
});
