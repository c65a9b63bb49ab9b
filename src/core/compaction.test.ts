import { describe, expect, test } from 'vitest';
import type { RequestSize } from './compaction-fact.ts';
import { taskId } from './ids.ts';
import { ask, definitionOf, end, to, work } from './testing/definitions.ts';
import { answered, TestedRun } from './testing/tested-run.ts';

const SIZE: RequestSize = { model: 'm', window: 1000, usable: 900, tokens: 900, fixed: 100, mayEdit: false };

function running(): TestedRun {
  return new TestedRun(definitionOf([work('start', ask('coder'), { transitions: [to('stop')] }), end()]));
}

/** The host measured the request under way and did not send it. */
function isFull(run: TestedRun, size: Partial<RequestSize> = {}): void {
  const { call = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
  run.send({ kind: 'request.full', task: taskId('t1'), call, attempt, size: { ...SIZE, ...size } });
}

function summarises(run: TestedRun, left: number): void {
  const { call = 1, attempt = 1 } = run.snapshot.tasks['t1']?.turn ?? {};
  run.send({ ...answered({ task: 't1', content: 'Summary.', call, attempt }), summary: { left } });
}

describe('a summary in parts', () => {
  test('[A6] a part that covers nothing stops the turn', () => {
    const run = running();
    isFull(run);
    summarises(run, 7);
    summarises(run, 5);
    expect(run.snapshot.result).toBeNull();
    summarises(run, 5);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'NO_PROGRESS' } });
    expect(run.snapshot.result?.failure?.message).toContain('none of the 5 messages');
  });
});
