import { expect, test } from 'vitest';
import { sent, testTree, work, turnOf, type TestFact } from '../workflow-state/testing/test-records.ts';
import { BusLines } from './bus-line.ts';

function busLines(...facts: readonly (readonly [string, TestFact])[]) {
  const lines = new BusLines();
  return testTree(facts).flatMap((record) => lines.lineOf(record) ?? []);
}

const HANDOFF: TestFact = {
  kind: 'handoff.made',
  task: 't1',
  handoff: {
    id: 'h1',
    from: 'planning_agent_001',
    to: 'execution_agent_001',
    artifacts: ['specs/auth_plan.md'],
    ids: ['r/t1/plan/specs/auth_plan.md@aa11'],
    context: { priority: 'high' },
    instructions: 'Implement all tasks.',
    successCriteria: ['Tests pass'],
    correlationId: 'r/execution',
  },
};

test('[PH5] a handoff has the fields of the document, with its names', () => {
  expect(busLines(['r', HANDOFF])).toEqual([
    {
      kind: 'handoff',
      id: 'h1',
      from_agent: 'planning_agent_001',
      to_agent: 'execution_agent_001',
      artifacts: ['specs/auth_plan.md'],
      artifact_ids: ['r/t1/plan/specs/auth_plan.md@aa11'],
      context: { priority: 'high' },
      instructions: 'Implement all tasks.',
      success_criteria: ['Tests pass'],
      correlation_id: 'r/execution',
      timestamp: '1970-01-01T00:00:01.000Z',
      run: 'r',
      record: 1,
      task: 't1',
    },
  ]);
});

test.each(['command', 'status', 'result', 'error', 'finding'])(
  '[PH5] a message of the type %s has the fields of the document',
  (type) => {
    const payload = { progress: 0.45 };
    expect(busLines(['r', sent('t1', type, { payload })])).toEqual([
      {
        kind: 'message',
        id: 't1/1',
        type,
        sender: 'coder',
        receiver: 'orchestrator',
        payload,
        correlation_id: 'x',
        timestamp: '1970-01-01T00:00:01.000Z',
        run: 'r',
        record: 1,
        task: 't1',
      },
    ]);
  },
);

test('[PH5] messages of all runs are listed in the order of the records, without other records', () => {
  const lines = busLines(
    ['r', work('t1', 'a', turnOf('x'))],
    ['r/t1', sent('t1', 'command')],
    ['r/t2', sent('t2', 'command')],
    ['r/t1', sent('t3', 'result')],
  );
  expect(lines.map(({ id, run, record }) => `${id} ${run} ${record}`)).toEqual([
    't1/1 r/t1 1',
    't2/1 r/t2 1',
    't3/1 r/t1 2',
  ]);
});

test('[L6] a repeated record is listed once', () => {
  const lines = new BusLines();
  const [record] = testTree([['r', HANDOFF]]);
  if (record === undefined) throw new Error('There is no record.');
  expect([lines.lineOf(record), lines.lineOf(record)].map((line) => line?.id ?? null)).toEqual(['h1', null]);
});
