import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Activity } from '../../../core/record/agent-fact.ts';
import { ClaudeStory } from './claude-story.ts';

/** Reads a recorded turn. */
function readStory(lines: readonly string[]) {
  const activities = new Map<string, Activity>();
  const reported: Activity[] = [];
  let text = '';
  const story = new ClaudeStory({
    onText: (delta) => (text += delta),
    onActivity: (activity) => {
      reported.push(activity);
      activities.set(activity.id, activity);
    },
  });
  for (const line of lines) story.read(line);
  return { story, text, reported, activities: [...activities.values()] };
}

const recorded = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n');

test('[Q8] a sub-agent is a minion; its tools are below it, its usage is what the agent itself did not use', () => {
  const { activities, reported, text, story } = readStory(recorded('minion'));
  expect(text).toBe('I delegate.\n\nAll done.');
  expect(reported[0]).toMatchObject({ kind: 'minion', status: 'running' });
  const [minion, tool] = activities;
  expect(minion).toMatchObject({
    kind: 'minion',
    name: 'general-purpose',
    status: 'ok',
    text: 'Look around',
    usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number), calls: expect.any(Number) },
  });
  expect(tool).toMatchObject({ kind: 'tool', name: 'Bash', status: 'ok', parent: minion?.id });
  expect(minion?.usage?.inputTokens).toBeGreaterThan(0);
  expect(story.denials).toEqual([]);
  expect(story.init).toMatchObject({ claude_code_version: '2.1.325' });
});

test('what a person did not allow is denied, once', () => {
  const { activities, story } = readStory(recorded('denied'));
  expect(activities.map(({ name, status, text }) => [name, status, text])).toEqual([
    ['Bash', 'denied', 'touch x.txt'],
    ['Read', 'ok', '/etc/hostname'],
  ]);
  expect(story.denials).toEqual(['Bash: touch x.txt']);
});

test('[A3] the usage of single messages counts each of them once, in however many lines it comes', () => {
  const { story } = readStory(recorded('denied'));
  expect(story.usage).toMatchObject({ calls: 2 });
  const result = story.result?.['usage'];
  expect(story.usage).toMatchObject({
    inputTokens: (result as { input_tokens: number }).input_tokens,
    outputTokens: (result as { output_tokens: number }).output_tokens,
  });
});

test('a retry is reported; synthetic messages of the client are not its text', () => {
  const { activities, text, story } = readStory(recorded('server-failed'));
  expect(activities).toMatchObject([
    { kind: 'retry', name: 'server_error', text: expect.stringContaining('HTTP 500') },
  ]);
  expect(text).toBe('');
  expect(story.excuse).toMatchObject({ error: 'server_error' });
  expect(story.usage.calls).toBe(0);
});

test('lines of unknown kinds are ignored; lines outside the protocol are reported', () => {
  const lines = [
    '{"type":"brand_new","x":1}',
    'Warning: something',
    '[1,2]',
    '{"no":"type"}',
    '{"type":"system"}',
    'null',
  ];
  const { activities, story } = readStory(lines);
  expect(story.unreadable).toBe(4);
  expect(activities).toMatchObject([{ kind: 'notice', status: 'failed', text: expect.stringMatching(/^4 lines/) }]);
});

test.each([
  ['{"type":"assistant"}'],
  ['{"type":"assistant","message":null}'],
  ['{"type":"assistant","message":{"content":"text"}}'],
  ['{"type":"assistant","message":{"content":[null,{"type":"tool_use"},{"type":"text","text":7}]}}'],
  ['{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"unknown"}]}}'],
  ['{"type":"stream_event"}'],
  ['{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":-5}}}'],
  ['{"type":"rate_limit_event","rate_limit_info":7}'],
  ['{"type":"result","permission_denials":{"a":1},"usage":[]}'],
])('a line of a known kind with the wrong things in it does no harm: %s', (line) => {
  expect(() => readStory([line])).not.toThrow();
});

test('text that was not streamed is reported whole', () => {
  const line = { type: 'assistant', message: { id: 'm', model: 'x', content: [{ type: 'text', text: 'Whole.' }] } };
  expect(readStory([JSON.stringify(line)]).text).toBe('Whole.');
});
