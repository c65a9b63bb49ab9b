import { expect, test } from 'vitest';
import type { QuestView } from '../views/quest-view.ts';
import { shownQuest } from './quest-text.ts';

const view = { status: 'running', outcome: null, steps: [{ status: 'merged' }, { status: 'running' }], slots: [1] };

const shown = (standing: Parameters<typeof shownQuest>[1]) => {
  const { status, steps, slots } = shownQuest(view as unknown as QuestView, standing);
  return [status, steps.map((step) => step.status), slots.length];
};

test('[Q7] [U8] a quest that sleeps, or waits for a worker, is not called stopped', () => {
  const text = 'sleeps until 2030-01-01 07:00:00 UTC';
  const queued = { kind: 'sleeps', text, until: 1 } as const;
  expect(shown({ driven: false, queued })).toEqual([`queued · ${text}`, ['merged', 'queued'], 0]);
  expect(shown({ driven: false })).toEqual(['stopped', ['merged', 'stopped'], 0]);
  expect(shown({ driven: true })).toEqual(['running', ['merged', 'running'], 1]);
});
