import { expect, test } from 'vitest';
import { cardOf } from '../../protocol/web/card-of.ts';
import { FREE_SOON } from '../../protocol/status-word.ts';
import { reportOf } from './run-report.ts';

const INFO = { run: 'r', workflow: 'w', title: '', project: '/p', at: 1, seq: 3, updatedAt: 2, outcome: null } as const;

const nextOf = (queued: string): string => {
  const info = { ...INFO, status: 'running', driven: false, queued } as const;
  return reportOf(cardOf({ info, below: [], details: null, damage: null }), null).next;
};

test('[U8] a queued run says that a worker takes it only where one will', () => {
  expect(nextOf(FREE_SOON)).toMatch(/^It is queued: waits for a free worker\. A worker takes it by itself; wait_run /);
  expect(nextOf('no worker offers label gpu')).toBe(
    'It is queued: no worker offers label gpu. It goes on once a person has started a worker that offers what it needs.',
  );
});
