import { expect, test } from 'vitest';
import { requestOf } from './perform.ts';

test('[U2] every action has its route, and child runs keep their slashes', () => {
  expect(requestOf({ kind: 'start', workflow: 'quest', input: { goal: 'x' } })).toEqual({
    path: '/api/runs',
    body: { workflow: 'quest', input: { goal: 'x' } },
  });
  expect(requestOf({ kind: 'answer', run: 'r1/t2', question: 'q1', text: 'yes' })).toEqual({
    path: '/api/runs/r1%2Ft2/answer',
    body: { question: 'q1', text: 'yes' },
  });
  expect(requestOf({ kind: 'rollback', run: 'r', to: '5', isPreview: true })).toEqual({
    path: '/api/runs/r/rollback',
    body: { to: '5', isPreview: true },
  });
});
