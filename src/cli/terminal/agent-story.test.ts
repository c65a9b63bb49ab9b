import { expect, test } from 'vitest';
import type { Activity } from '../../core/record/agent-fact.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { AgentStory, clockTime, doingText, quotaText, sessionText } from './agent-story.ts';

const item = (more: Partial<Activity>): Activity => ({ id: 'a', kind: 'tool', name: 'Bash', status: 'ok', ...more });

test('[Q8] a tool is shown when it has ended, once; what a sub-agent does is shown below it', () => {
  const story = new AgentStory();
  expect(story.lines([item({ status: 'running', text: 'npm test' })])).toEqual([]);
  const lines = story.lines([item({ text: 'npm test' }), item({ text: 'npm test' })]);
  expect(lines).toEqual([{ inside: [], text: '✓ Bash npm test', style: 'dim' }]);
  const minion = item({ id: 'm', kind: 'minion', name: 'scout', status: 'running', text: 'look' });
  expect(story.lines([minion])).toMatchObject([{ text: '→ sub-agent scout: look' }]);
  expect(story.lines([item({ id: 'b', name: 'Read', parent: 'm' })])).toMatchObject([{ inside: ['scout'] }]);
  const usage = { ...NO_USAGE, inputTokens: 1200 };
  expect(story.lines([{ ...minion, status: 'ok', usage }])).toMatchObject([
    { text: '✓ sub-agent scout: look (1.2k tokens)' },
  ]);
});

test('[L10] what was not allowed and what was tried again stand out', () => {
  const story = new AgentStory();
  expect(
    story.lines([
      item({ status: 'denied', text: 'rm -rf /' }),
      item({ id: 'r', kind: 'retry', name: 'overloaded', status: 'failed', text: 'HTTP 529' }),
      item({ id: 'n', kind: 'notice', name: 'notice', status: 'failed', text: '3 lines were not read' }),
    ]),
  ).toEqual([
    { inside: [], text: '✗ Bash rm -rf /: not allowed', style: 'yellow' },
    { inside: [], text: '↻ overloaded: HTTP 529', style: 'yellow' },
    { inside: [], text: '3 lines were not read', style: 'yellow' },
  ]);
});

test('sub-agents that name each other as parents end the way up', () => {
  const story = new AgentStory();
  const circle = [
    item({ id: 'x', kind: 'minion', name: 'x', parent: 'y' }),
    item({ id: 'y', kind: 'minion', name: 'y', parent: 'x' }),
  ];
  expect(story.lines(circle)[1]?.inside.length).toBeLessThan(20);
});

test('[L8] what a client says moves no cursor', () => {
  const [line] = new AgentStory().lines([item({ name: 'Ba\u001B[2Jsh', text: 'a\nb' })]);
  expect(line?.text).toBe('✓ Bash a b');
});

test('current work is shown in a few words', () => {
  expect(doingText([item({ status: 'running', text: 'npm test' })])).toBe('using Bash npm test');
  expect(doingText([item({ kind: 'minion', name: 'scout', status: 'running' })])).toBe('has started scout');
  expect(doingText([item({})])).toBeNull();
});

test('[Q5] a quota is waited for until a time of the day, with the date if it is not today', () => {
  const now = new Date(2026, 4, 3, 10, 0).getTime();
  const failure = { code: 'QUOTA_USED_UP', message: 'Used up.', class: 'quota' } as const;
  expect(quotaText(failure, new Date(2026, 4, 3, 17, 5).getTime(), now)).toBe('waits for quota until 17:05');
  expect(clockTime(new Date(2026, 4, 4, 9, 0).getTime(), now)).toBe('2026-05-04 09:00');
  expect(quotaText({ ...failure, class: 'server' }, now, now)).toBeNull();
  expect(quotaText(failure, null, now)).toBeNull();
});

test('a session is shown by how the turn continues in it', () => {
  const session = { actor: 'codex', session: 'abc', how: 'new' } as const;
  expect(sessionText(session)).toBe('begins as codex, session abc');
  expect(sessionText({ ...session, how: 'resumed' })).toBe('continues session abc of codex');
  expect(sessionText({ ...session, how: 'forked' })).toBe('continues in a copy of its session, abc of codex');
});
