import { expect, test } from 'vitest';
import { cardOf } from '../../protocol/web/card-of.ts';
import type { QueuedReason } from '../../protocol/status-word.ts';
import { reportOf } from './run-report.ts';

const INFO = { run: 'r', workflow: 'w', title: '', project: '/p', at: 1, seq: 3, updatedAt: 2, outcome: null } as const;

const nextOf = (queued: QueuedReason): string => {
  const info = { ...INFO, status: 'running', driven: false, queued } as const;
  return reportOf(cardOf({ info, below: [], details: null, damage: null }), null).next;
};

test('[U8] a queued run says that a worker takes it only where one will', () => {
  const [kind, text] = ['free-soon', 'waits for a free worker'] as const;
  expect(nextOf({ kind, text })).toMatch(
    /^It is queued: waits for a free worker\. A worker takes it by itself; wait_run /,
  );
  expect(nextOf({ kind: 'sleeps', text: 'sleeps until 7', until: 7 })).toMatch(
    /^It is queued: sleeps until 7\. A worker takes it by itself; wait_run /,
  );
  expect(nextOf({ kind: 'lacks', text: 'no worker offers label gpu' })).toBe(
    'It is queued: no worker offers label gpu. It goes on once a person has started a worker that offers what it needs.',
  );
});
