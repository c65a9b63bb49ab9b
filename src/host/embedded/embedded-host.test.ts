import { expect, test } from 'vitest';
import { toArray } from '../../core/append-list.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../testing/coder-reviewer.ts';
import { testWorld } from '../testing/test-world.ts';
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
