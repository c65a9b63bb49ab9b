import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor, CallReply, CallRequest, ClientOrder } from '../../../actors/port.ts';
import { toArray } from '../../../core/model/append-list.ts';
import { runId, type RunId } from '../../../core/model/ids.ts';
import type { Message } from '../../../core/model/message.ts';
import type { Definition } from '../../../core/model/definition.ts';
import { isSummaryPrompt } from '../../../core/look/summary-prompt.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { CLIENT_TRAITS } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { windowedModel, type WindowedModel } from '../../testing/windowed-model.ts';

const FIRST = 'FIRST ORDER: the parser takes tabs.';
const ORDERS = { coder: 'CODER ORDER: write it.', reviewer: 'REVIEWER ORDER: judge it.' } as const;

/** A conversation that was there before: what the user wants, then what others said, many times the window. */
function earlier(characters: number): readonly Message[] {
  const said = Array.from({ length: 40 }, (_, index): Message => {
    const author = index % 2 === 0 ? 'coder' : 'reviewer';
    return {
      author,
      role: author === 'coder' ? 'assistant' : 'user',
      content: `${author} ${index} `.repeat(characters / 400),
    };
  });
  return [{ author: 'person', role: 'user', content: FIRST }, ...said];
}

function talking(characters: number, visits: number): Definition {
  const built = build({
    roles: { coder: {}, reviewer: {} },
    data: { left: visits, coder: ORDERS.coder, reviewer: ORDERS.reviewer },
    states: [
      work('code', turn('coder', 'common_data.coder'), [to('review')]),
      work('review', turn('reviewer', 'common_data.reviewer'), [
        to('code', { when: 'common_data.left > 1', assign: 'this.common_data.left = this.common_data.left - 1' }),
        to('stop'),
      ]),
      end('stop'),
    ],
  });
  const contexts = built.workflow.contexts.map((context) => ({
    ...context,
    startingMessages: earlier(characters),
    maxLength: 1e9,
  }));
  return { ...built, workflow: { ...built.workflow, contexts } };
}

const answer = (request: CallRequest): CallReply =>
  says(
    isSummaryPrompt(request.messages.at(-1)?.content ?? '')
      ? 'Summary: both talked.'
      : `Heard in visit ${request.visit}.`,
  );

const RUN = runId('talked');

function hostOf(model: WindowedModel) {
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says('') });
  return createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
}

const orderOf = ({ agent }: CallRequest): string => (agent === 'coder' ? ORDERS.coder : ORDERS.reviewer);

const summaries = ({ sent }: WindowedModel): number =>
  sent.filter(({ request }) => isSummaryPrompt(request.messages.at(-1)?.content ?? '')).length;

test('[A6] a shared context of twenty windows is summarised part by part for each agent, with first and newest order in every request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 4000, max: 30_000 }), fc.integer({ min: 1, max: 20 }), async (window, times) => {
      const model = windowedModel({ window, known: { mayEdit: false }, answer });
      const host = hostOf(model);
      await host.start({ definition: talking(window * 4 * times, 3), input: {}, run: RUN, project: '.' });
      expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok' });
      await host.shutdown();
      const bad = model.sent.filter(
        ({ text, tokens, request }) => tokens > window || !text.includes(FIRST) || !text.includes(orderOf(request)),
      );
      expect(bad).toEqual([]);
      expect(summaries(model)).toBeLessThan(8 * times + 8);
    }),
    { numRuns: 15 },
  );
});

test('[A6] an agent that was compacted continues from there in its next turn, and the context stays whole for others', async () => {
  const model = windowedModel({ window: 8000, known: { mayEdit: false }, answer });
  const host = hostOf(model);
  await host.start({ definition: talking(100_000, 3), input: {}, run: RUN, project: '.' });
  await host.rest(RUN);
  const { contexts } = await host.snapshot(RUN);
  const room = contexts['room'];
  expect(Object.keys(room?.views ?? {})).toEqual(['coder', 'reviewer']);
  expect(room?.messages.length).toBeGreaterThan(41);
  const view = toArray(room?.views?.['coder'] ?? { items: [], length: 0 });
  expect(view[0]?.content).toBe(FIRST);
  expect(view.at(-1)?.content).toBe('Heard in visit 3.');
  // Once for each agent, in as many parts as it takes; later turns begin with what is left.
  const visits = new Set(
    model.sent
      .filter(({ request }) => isSummaryPrompt(request.messages.at(-1)?.content ?? ''))
      .map(({ request }) => request.visit),
  );
  expect([...visits]).toEqual([1]);
  await host.shutdown();
});

test('[A6] [Q5] a client that follows a compacted model begins with the summary and gets only new messages in its next turn', async () => {
  const orders: (ClientOrder | undefined)[] = [];
  const client: Actor = {
    kind: 'test',
    client: CLIENT_TRAITS,
    call: (request) => {
      orders.push(request.client);
      return Promise.resolve(answer(request));
    },
  };
  let isReplaced = false;
  const model = windowedModel({
    window: 8000,
    known: { mayEdit: false },
    answer: (request) => {
      isReplaced = request.agent === 'reviewer';
      return answer(request);
    },
  });
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says('') });
  const host = createEmbeddedHost({
    ...world,
    actorFor: ({ name }) => Promise.resolve(isReplaced && name === 'coder' ? client : model),
  });
  await host.start({ definition: talking(100_000, 3), input: {}, run: RUN, project: '.' });
  expect(await host.rest(RUN)).toMatchObject({ outcome: 'ok' });
  await host.shutdown();
  const [first = [], second = []] = orders.map((order) => order?.unheard.map(({ content }) => content));
  expect(first[0]).toContain(FIRST);
  expect(first.filter((content) => content.includes('Summary: both talked.')).length).toBeGreaterThan(0);
  expect(first.at(-2)).toContain('Heard in visit 1.');
  expect(first.at(-1)).toContain(ORDERS.coder);
  expect(second).toEqual([
    expect.stringContaining(ORDERS.reviewer),
    expect.stringContaining('Heard in visit 2.'),
    expect.stringContaining(ORDERS.coder),
  ]);
});

test('[A6] a fork and a rolled-back run continue with the compacted conversation of that record', async () => {
  const model = windowedModel({ window: 8000, known: { mayEdit: false }, answer });
  const host = hostOf(model);
  await host.start({ definition: talking(100_000, 3), input: {}, run: RUN, project: '.' });
  await host.rest(RUN);
  const { seq } = await host.snapshot(RUN);
  const before = summaries(model);
  const goOn = async (run: RunId): Promise<void> => {
    await host.resume(run);
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  };
  const fork = await host.fork(RUN, { at: seq - 6, by: 'ann' });
  await goOn(fork);
  await host.rewind(RUN, { to: seq - 6, files: false, conversation: true, by: 'ann' });
  await goOn(RUN);
  expect(summaries(model)).toBe(before);
  expect(model.sent.every(({ tokens, text }) => tokens <= 8000 && text.includes(FIRST))).toBe(true);
  await host.shutdown();
});
