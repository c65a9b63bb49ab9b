import { expect, test } from 'vitest';
import { actionRequest } from './client.ts';

test('[U2] every action has its route, and child runs keep their slashes', () => {
  expect(actionRequest({ kind: 'start', workflow: 'quest', input: { goal: 'x' } })).toEqual({
    path: '/api/runs',
    body: { workflow: 'quest', input: { goal: 'x' } },
  });
  expect(actionRequest({ kind: 'answer', run: 'r1/t2', question: 'q1', text: 'yes' })).toEqual({
    path: '/api/runs/r1%2Ft2/answer',
    body: { question: 'q1', text: 'yes' },
  });
  expect(actionRequest({ kind: 'rollback', run: 'r', to: '5', isPreview: true })).toEqual({
    path: '/api/runs/r/rollback',
    body: { to: '5', isPreview: true },
  });
});
