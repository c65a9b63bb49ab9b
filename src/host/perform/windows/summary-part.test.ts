import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../../actors/port.ts';
import { runId } from '../../../core/ids.ts';
import { isSummaryPrompt } from '../../../core/summary-prompt.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Tool } from '../../../tools/port.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { windowedModel } from '../../testing/windowed-model.ts';

const ORDER = 'ORDER 4711: parse. '.repeat(1300);
const LONG = '漢'.repeat(1200);

const noteTool: Tool = {
  spec: {
    name: 'note',
    description: 'Keeps a note.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve({ content: 'some words '.repeat(820), isError: false }),
};

const isSummary = ({ messages }: CallRequest): boolean => isSummaryPrompt(messages.at(-1)?.content ?? '');

test('[A6] a message that is longer than a part of a summary is cut to it, and each part covers one at least', async () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: 'note', arguments: { text: LONG } }));
  const answer = (request: CallRequest): CallReply => {
    if (!isSummary(request)) return request.call > 1 ? says('Done.') : says(LONG, calls);
    // A loop would never come to its end by itself.
    return model.sent.length > 20 ? says('') : says('Summary: notes were kept.');
  };
  const model = windowedModel({ window: 16_000, charactersAToken: 2, known: { mayEdit: false }, answer });
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says(''), tools: [noteTool] });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
  const definition = build({
    roles: { coder: {} },
    data: { order: ORDER },
    limits: { toolRounds: 5 },
    states: [work('code', turn('coder', 'common_data.order'), [to('stop')]), end('stop')],
  });
  await host.start({ definition, input: {}, run: runId('long'), project: '.' });
  expect(await host.rest(runId('long'))).toMatchObject({ outcome: 'ok' });
  await host.shutdown();
  const summaries = model.sent.filter(({ request }) => isSummary(request));
  expect(summaries.length).toBeLessThan(5);
  expect(summaries.some(({ text }) => text.includes('You: 漢漢'))).toBe(true);
  expect(model.sent.filter(({ tokens }) => tokens > 16_000)).toEqual([]);
});
