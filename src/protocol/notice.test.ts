import { expect, test } from 'vitest';
import type { Json } from '../core/model/json.ts';
import { noticeIn } from './notice.ts';

const entered = (notices: Json) =>
  noticeIn({ kind: 'state.entered', state: 's', visit: 1, from: null, patch: { set: { notices } } });

test('[Q7] a notice is the text that a workflow has just added, and nothing else is one', () => {
  expect(entered(['old', 'new'])).toBe('new');
  expect(entered([])).toBeNull();
  expect(entered('text')).toBeNull();
  expect(entered([3])).toBeNull();
  expect(noticeIn({ kind: 'state.entered', state: 's', visit: 1, from: null, patch: null })).toBeNull();
  expect(noticeIn({ kind: 'context.cleared', context: 'c' })).toBeNull();
});
