import { expect, test } from 'vitest';
import { promptText, systemText } from './prompt-text.ts';

test('a single message is sent unchanged', () => {
  expect(promptText([{ role: 'user', content: 'Write hello.' }])).toBe('Write hello.');
});

test('of several messages it is plain whose they are', () => {
  const toolCalls = [{ id: '1', name: 'grep', arguments: { pattern: 'x' } }];
  const text = promptText([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'I look.', toolCalls },
    { role: 'tool', content: 'a.ts', toolCallId: '1', toolName: 'grep' },
    { role: 'tool', content: 'No.', toolCallId: '2', isError: true },
    { role: 'assistant', content: '' },
  ]);
  expect(text.split('\n\n')).toEqual([
    '[system] Be brief.',
    'Look.',
    '[You said] I look.\n[You called grep with {"pattern":"x"}]',
    '[grep returned]\na.ts',
    '[A tool failed]\nNo.',
  ]);
});

test('there is always something to answer', () => {
  expect(promptText([])).toBe('Go on.');
});

test('[A2] what all agents share stands before the role', () => {
  const role = { systemMessage: 'You greet.', examples: [] };
  expect(systemText({ shared: 'The team.', role })).toBe('The team.\n\nYou greet.');
});

test('a role’s examples stand below its words', () => {
  const message = { author: 'x', content: 'Hi.' };
  const examples = [
    { ...message, role: 'user' as const },
    { ...message, role: 'assistant' as const, content: 'Hello.' },
  ];
  const role = { systemMessage: 'You greet.', examples };
  expect(systemText({ shared: '', role: { ...role, examples: [] } })).toBe('You greet.');
  expect(systemText({ shared: '', role })).toBe(
    'You greet.\n\nExamples of how you answer:\n\nUser: Hi.\n\nYou: Hello.',
  );
});
