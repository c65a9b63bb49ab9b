import { expect, test } from 'vitest';
import type { BusLine } from '../../protocol/bus/bus-line.ts';
import { busText } from '../commands/messages.ts';
import { OPTIONS } from '../../app/views/artifacts/testing/plain-artifact.ts';

const MESSAGE: BusLine = {
  kind: 'message',
  id: 'm1',
  type: 'status',
  sender: 'planning',
  receiver: 'orchestrator',
  payload: { status: 'in_progress', progress: 0.45, message: 'Analyzing codebase...', list: [], more: { a: 1 } },
  correlation_id: 'r/t1/planning',
  timestamp: '2026-01-02T03:04:05.000Z',
  run: 'r/t1',
  record: 3,
  task: 't1',
};

test('[PH5] a message is shown with sender, receiver, content and what it belongs to', () => {
  expect(busText(MESSAGE, OPTIONS).replace(/^\S+/, 'TIME')).toBe(`TIME  status   planning → orchestrator
          status: in_progress
          progress: 0.45
          message: Analyzing codebase...
          list: []
          more.a: 1
          for r/t1/planning`);
});

test('[PH5] a handoff is shown with its artifacts, context, instructions and criteria, at 80 columns', () => {
  const line: BusLine = {
    kind: 'handoff',
    id: 'h1',
    from_agent: 'planning',
    to_agent: 'execution',
    artifacts: ['specs/auth_plan.md', 'specs/auth_tasks.json'],
    artifact_ids: [],
    context: { feature_name: 'user_authentication' },
    instructions: `Implement all tasks in auth_tasks.json. ${'Focus on security best practices. '.repeat(4)}`,
    success_criteria: ['All files in task list created', 'Tests pass'],
    correlation_id: 'r/t2/execution',
    timestamp: '2026-01-02T03:04:05.000Z',
    run: 'r/t2',
    record: 3,
    task: 't1',
  };
  const text = busText(line, OPTIONS);
  for (const one of text.split('\n')) expect(one.length).toBeLessThanOrEqual(80);
  expect(text).toContain(
    'handoff  planning → execution\n          artifacts: specs/auth_plan.md, specs/auth_tasks.json',
  );
  expect(text).toContain('\n          feature_name: user_authentication\n          instructions: Implement');
  expect(text).toContain('\n          success: All files in task list created\n          success: Tests pass\n');
});

test('[L4] criteria are shown with their result', () => {
  const criteria = [
    { text: 'Tests pass', checked: true, held: true },
    { text: 'Files exist', checked: true, held: false },
    { text: 'It is safe', checked: false, held: null },
  ];
  const text = busText({ ...MESSAGE, type: 'result', payload: { criteria } }, OPTIONS);
  expect(text).toContain('criterion: Tests pass: held\n');
  expect(text).toContain('criterion: Files exist: did not hold\n');
  expect(text).toContain('criterion: It is safe: not checked\n');
});

test('a message cannot steer the terminal, nor fill it', () => {
  const text = busText({ ...MESSAGE, sender: 'a\u001B[2J', payload: 'x\u0007 '.repeat(1000) }, OPTIONS);
  expect(text).not.toContain('\u001B');
  expect(text).not.toContain('\u0007');
  expect(text.length).toBeLessThan(800);
});
