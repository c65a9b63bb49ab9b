import { expect, test } from 'vitest';
import { toArray } from '../../core/model/append-list.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { asking } from '../testing/asking.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../testing/coder-reviewer.ts';
import { dyingJournal } from '../testing/dying-journal.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

test('[L1] a loop of two agents in one shared context runs to its end', async () => {
  const notes: string[] = [];
  const world = testWorld({ journal: createMemoryJournal(), answer: coderReviewerAnswer, tools: [noteTool(notes)] });
  const host = createEmbeddedHost(world);
  const run = await host.start({ definition: coderReviewer(), input: {}, project: '.' });
  const rest = await host.rest(run);
  expect(rest).toMatchObject({ status: 'settled', outcome: 'ok', output: 'done after 14', failure: null });
  const snapshot = await host.snapshot(run);
  expect(toArray(snapshot.path)).toEqual(['start', 'code', 'review', 'code', 'review', 'stop']);
  expect(notes).toEqual(['"visit 1"', '"visit 2"']);
  expect(rest.usage).toMatchObject({ calls: 6, inputTokens: 60, outputTokens: 30 });
  await host.shutdown();
});

test('[L10] an answer, cancel, pause or raise just after the run ended is refused, and leaves no message', async () => {
  const journal = createMemoryJournal();
  const driving = createEmbeddedHost(testWorld({ journal, answer: () => says('') }));
  for (const late of ['answer', 'cancel', 'pause', 'raise'] as const) {
    const run = await driving.start({ definition: asking('Which?'), input: {}, project: '.' });
    await driving.rest(run);
    // Another process ends it after the sender has looked and before the message is sent.
    const ends = async (): Promise<void> => {
      if ((await journal.run(run))?.status === 'settled') return;
      await driving.cancel(run, 'ann', 'enough');
      await driving.rest(run);
    };
    const looking = dyingJournal(journal, { afterAppends: Infinity });
    const sender = createEmbeddedHost(
      testWorld({
        journal: {
          ...looking,
          inbox: async (of) => (await ends(), await looking.inbox(of)),
          run: async (of) => (await ends(), await looking.run(of)),
        },
        answer: () => says(''),
      }),
    );
    const acts = {
      answer: () => sender.answer(run, { answer: 'red', by: 'bob' }),
      cancel: () => sender.cancel(run, 'bob', 'late'),
      pause: () => sender.pause(run, 'bob', 'late'),
      raise: () => sender.raise(run, 'tokens', 5, 'bob'),
    };
    await expect(acts[late]()).rejects.toMatchObject({ code: late === 'answer' ? 'QUESTION_CLOSED' : 'RUN_SETTLED' });
    expect(await journal.inbox(run)).toEqual([]);
    await sender.shutdown();
  }
  await driving.shutdown();
});

test('[Q3] a question is answered by its short name as well as by its id', async () => {
  const host = createEmbeddedHost(testWorld({ journal: createMemoryJournal(), answer: () => says('') }));
  const run = await host.start({ definition: asking('Which?'), input: {}, project: '.' });
  expect((await host.rest(run)).questions).toMatchObject([{ id: 't1', name: 'q1' }]);
  await expect(host.answer(run, { question: 'q2', answer: 'red', by: 'bob' })).rejects.toMatchObject({
    code: 'QUESTION_CLOSED',
  });
  await host.answer(run, { question: 'q1', answer: 'red', by: 'bob' });
  expect(await host.rest(run)).toMatchObject({ output: 'red' });
  await host.shutdown();
});
