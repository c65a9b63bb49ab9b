import { expect, test } from 'vitest';
import { clipRecord } from '../../../src/protocol/web/clip-record.ts';
import { taskId } from '../../../src/core/ids.ts';
import type { Fact } from '../../../src/core/fact.ts';
import { cutAt, textAt, wordsPath } from './record-text.ts';

const fact: Fact = {
  kind: 'tool.finished',
  task: taskId('t1'),
  toolCall: 'c',
  content: 'x'.repeat(50_000),
  isError: false,
  ms: 1,
};

test('[U2] a text that was cut is known by its place, and found whole in the whole record', () => {
  const line = clipRecord('r', { seq: 1, at: 1, fact });
  expect(cutAt(line, wordsPath(fact))).toBe(50_000);
  expect(cutAt(line, ['message', 'content'])).toBeNull();
  expect(textAt(fact, wordsPath(fact))).toHaveLength(50_000);
  expect(textAt(fact, ['no', 'such', 'place'])).toBe('');
});
