import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Activity } from '../../../core/record/agent-fact.ts';
import { CodexStory } from './codex-story.ts';

function readStory(lines: readonly string[]) {
  const activities = new Map<string, Activity>();
  let text = '';
  const story = new CodexStory('t', {
    onText: (delta) => (text += delta),
    onActivity: (activity) => activities.set(activity.id, activity),
  });
  for (const line of lines) story.read(line);
  return { story, text, activities: () => [...activities.values()] };
}

const recorded = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n');

test('a turn with tools: its conversation, its tools, its last words, the sum of its conversation', () => {
  const { story, text, activities } = readStory(recorded('tools'));
  expect(story.thread).toBe('01a1e2b1-cac0-7d63-bac0-dd57368b867d');
  expect(story.lastText).toBe('Seen.');
  expect(text).toBe('Seen.');
  expect(story.total).toMatchObject({ inputTokens: 20_503, outputTokens: 74 });
  expect(activities()).toEqual([
    { id: 't-item_1', kind: 'tool', name: 'command', status: 'failed', text: 'env > env.txt; ls; exit 3' },
    { id: 't-item_2', kind: 'tool', name: 'apply_patch', status: 'ok', text: '/w/p.txt' },
  ]);
});

test('[Q8] a sub-agent is a minion by the id of its own conversation, and is settled at the end', () => {
  const { story, text, activities } = readStory(recorded('minion'));
  expect(text).toBe('I delegate.\n\nDone.');
  expect(story.total).toMatchObject({ cacheReadTokens: 120, cacheWriteTokens: 7 });
  const id = '01a1e2b1-d37e-7302-89e9-28022eedbb26';
  expect(activities()).toMatchObject([
    { id: 't-item_0', kind: 'notice' },
    { id, kind: 'minion', status: 'running', text: 'Look around, please.' },
  ]);
  const usage = { inputTokens: 5, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 };
  story.settleMinion(id, { name: 'Nietzsche', usage });
  expect(activities()[1]).toEqual({
    id,
    kind: 'minion',
    name: 'Nietzsche',
    status: 'ok',
    text: 'Look around, please.',
    usage,
  });
});

test('a try that is made again is not the end; the last line is', () => {
  const { story, activities } = readStory(recorded('server-failed'));
  expect(activities()).toMatchObject([{ id: 't-retry-1', kind: 'retry', status: 'failed' }]);
  expect(story.excuse).toMatch(/high demand/);
  expect(story.total).toBeNull();
});

test('unknown kinds are ignored, and lines outside the protocol are counted and reported', () => {
  const { story, activities } = readStory([
    '{"type":"new.thing"}',
    '{"type":"item.completed","item":{"type":"new"}}',
    'x{',
    '[]',
  ]);
  expect(story.unreadable).toBe(2);
  expect(activities()).toMatchObject([{ kind: 'notice', status: 'failed', text: expect.stringMatching(/^2 lines/) }]);
});

test('what is declined is a denial', () => {
  const item = { id: 'item_1', type: 'command_execution', command: "bash -lc 'rm x'", status: 'declined' };
  const { story, activities } = readStory([JSON.stringify({ type: 'item.completed', item })]);
  expect(activities()).toMatchObject([{ status: 'denied' }]);
  expect(story.denials).toEqual(['command: rm x']);
});

test('[L3] a completed command with another exit code than 0 has failed', () => {
  const item = { id: 'item_1', type: 'command_execution', command: 'make', exit_code: 2, status: 'completed' };
  const { activities } = readStory([JSON.stringify({ type: 'item.completed', item })]);
  expect(activities()).toMatchObject([{ name: 'command', status: 'failed' }]);
});
