import { expect, test } from 'vitest';
import { taskId } from '../core/model/ids.ts';
import type { Json } from '../core/model/json.ts';
import { noticeIn } from './notice.ts';

const entered = (notices: Json) =>
  noticeIn({ kind: 'state.entered', state: 's', visit: 1, from: null, patch: { set: { notices } } });

const ended = (output: Json, patch?: object) =>
  noticeIn({ kind: 'task.ended', task: taskId('t1'), outcome: 'ok', output, failure: null, ...(patch && { patch }) });

test('[Q7] a program that keeps a state answers a notice; the output of other work is none', () => {
  expect(ended({ go: 'a', notice: 'Ward is red.' }, {})).toBe('Ward is red.');
  expect(ended({ notice: 'said by a command' })).toBeNull();
  expect(ended({ go: 'a' }, {})).toBeNull();
});

test('[Q7] a notice is the text that a workflow has just added, and nothing else is one', () => {
  expect(entered(['old', 'new'])).toBe('new');
  expect(entered([])).toBeNull();
  expect(entered('text')).toBeNull();
  expect(entered([3])).toBeNull();
  expect(noticeIn({ kind: 'state.entered', state: 's', visit: 1, from: null, patch: null })).toBeNull();
  expect(noticeIn({ kind: 'context.cleared', context: 'c' })).toBeNull();
});
