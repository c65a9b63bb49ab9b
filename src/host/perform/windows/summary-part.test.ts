import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../../actors/port.ts';
import { runId } from '../../../core/model/ids.ts';
import { isSummaryPrompt } from '../../../core/look/summary-prompt.ts';
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

const CALLS = ['a', 'b'].map((id) => ({ id, name: 'note', arguments: { text: LONG } }));
const RUN = runId('long');

/** Fills the window with its first call, gives these summaries, and is done. */
async function summarising(summaries: (sent: number) => string) {
  const answer = (request: CallRequest): CallReply => {
    if (isSummary(request)) return says(summaries(model.sent.length));
    return request.call > 1 ? says('Done.') : says(LONG, CALLS);
  };
  const model = windowedModel({ window: 16_000, charactersAToken: 2, known: { mayEdit: false }, answer });
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says(''), tools: [noteTool] });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
  const built = build({
    roles: { coder: {} },
    data: { order: ORDER },
    limits: { toolRounds: 5 },
    states: [work('code', turn('coder', 'common_data.order'), [to('stop')]), end('stop')],
  });
  const definition = { ...built, retry: { tries: {}, baseMs: 1, maxMs: 1 } };
  await host.start({ definition, input: {}, run: RUN, project: '.' });
  const rest = await host.rest(RUN);
  await host.shutdown();
  return { rest, sent: model.sent, asked: model.sent.filter(({ request }) => isSummary(request)) };
}

test('[A6] a message that is longer than a part of a summary is cut to it, and each part covers one at least', async () => {
  // A loop would never end by itself.
  const { rest, sent, asked } = await summarising((count) => (count > 20 ? '' : 'Summary: notes were kept.'));
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(asked.length).toBeLessThan(5);
  expect(asked.some(({ text }) => text.includes('You: 漢漢'))).toBe(true);
  expect(sent.filter(({ tokens }) => tokens > 16_000)).toEqual([]);
});

test('[A6] a summary without text is asked for once more, then the failure says what to do', async () => {
  const once = await summarising((count) => (count === 2 ? ' ' : 'Summary: notes were kept.'));
  expect(once.rest).toMatchObject({ outcome: 'ok' });
  const never = await summarising(() => '');
  expect(never.asked).toHaveLength(2);
  expect(never.rest.failure).toMatchObject({ code: 'REPLY_EMPTY', hint: expect.stringContaining('another model') });
});
