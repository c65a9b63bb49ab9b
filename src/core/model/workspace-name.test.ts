import { expect, test } from 'vitest';
import { childRunId, runId, taskId } from './ids.ts';
import { agent } from '../testing/definitions.ts';
import { childWorkspace, MAIN_WORKSPACE, workspaceOf } from './workspace-name.ts';

const root = { run: runId('run-1'), workspace: MAIN_WORKSPACE };
const childOf = (task: string) => {
  const run = childRunId(root.run, taskId(task));
  return { run, workspace: childWorkspace(run) };
};

test('[WS1] an agent works in the run’s workspace by default, and so does a command without an agent', () => {
  expect(workspaceOf(root, agent('coder'))).toBe('main');
  expect(workspaceOf(root, agent('coder', { workspace: 'shared' }))).toBe('main');
  expect(workspaceOf(root, null)).toBe('main');
});

test('[WS1] its own workspace has its name, and agents that give the same name share one', () => {
  expect(workspaceOf(root, agent('coder', { workspace: 'own' }))).toBe('coder');
  expect(workspaceOf(root, agent('coder', { workspace: 'bench' }))).toBe('bench');
  expect(workspaceOf(root, agent('tester', { workspace: 'bench' }))).toBe('bench');
});

test('[WS2] names of a child are its own, whatever it is called there', () => {
  const [one, two] = [childOf('t1'), childOf('t2')];
  const coder = agent('coder', { workspace: 'own' });
  const names = [root, one, two].map((run) => workspaceOf(run, coder));
  expect(names).toEqual(['coder', 't1.coder', 't2.coder']);
  const deeper = childRunId(one.run, taskId('t9'));
  expect(workspaceOf({ run: deeper, workspace: childWorkspace(deeper) }, coder)).toBe('t1.t9.coder');
});

test('[WS2] a child shares the workspace of its parent, or has one made for it', () => {
  expect(workspaceOf({ ...childOf('t1'), workspace: 'main' }, agent('coder'))).toBe('main');
  expect(workspaceOf(childOf('t1'), agent('coder'))).toBe('t1.shared');
});
