import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import type { ShownAgent } from '../../src/protocol/workflow-state/workflow-state.ts';
import { GOOD, HALF, phaseProject, runPhases } from './phase-project.ts';
import { scriptedProject } from './projects.ts';
import type { Sandbox } from './sandbox.ts';

const show = async (sandbox: Sandbox): Promise<RunView> =>
  JSON.parse((await sandbox.troupe(['show', 'last', '--json'])).stdout) as RunView;

const statuses = ({ workflow_state }: RunView): string =>
  (workflow_state?.history ?? []).map(({ status }) => status).join(' ');

const agents = ({ agents: all = [] }: RunView): readonly string[] =>
  (all as readonly ShownAgent[]).map(({ agent_id, agent_type, status }) => `${agent_id} ${agent_type} ${status}`);

test("[PH5] show --json has the document's WorkflowState and AgentState of a phases run", async () => {
  const sandbox = phaseProject(GOOD);
  const { run } = await runPhases(sandbox);
  const view = await show(sandbox);
  expect(view.workflow_state).toMatchObject({
    workflow_id: run,
    status: 'success',
    current_phase: null,
    phases_completed: ['planning', 'execution', 'verification'],
    agents_spawned: ['planning', 'execution', 'verification'],
    completed_at: expect.any(String),
  });
  expect(view.workflow_state?.artifacts_created).toHaveLength(7);
  expect(agents(view)).toEqual([
    'planning planning success',
    'execution execution success',
    'verification verification success',
    'fix fix idle',
  ]);
  expect(view.agents?.[0]).toMatchObject({
    tools_used: ['report_progress', 'submit_output'],
    progress: 0.45,
    progress_message: 'Analyzing codebase...',
    duration: expect.any(Number),
  });
  expect(view.agents?.[1]).toMatchObject({ progress: null });
  const { stdout } = await sandbox.troupe(['show', 'last']);
  expect(stdout).toMatch(
    /^phase {5}planning {6}ok, [\d.]+ m?s, specs\/hello_plan\.md, specs\/hello_tasks\.json, record \d+$/m,
  );
  expect(stdout).toMatch(/^phase {5}fix {11}skipped, record \d+$/m);
  expect(stdout).toContain(`artifacts 7; see them with: troupe artifacts ${run}\n`);
});

test('[PH5] [PH7] failed, rolled back, put right after that: every state of the document', async () => {
  const sandbox = phaseProject(HALF);
  await runPhases(sandbox);
  const failed = await show(sandbox);
  expect(statuses(failed)).toBe('pending running failed rollback failed_final');
  expect(agents(failed)).toContain('execution execution error');
  expect((await sandbox.troupe(['show', 'last'])).stdout).toMatch(/^rollback {2}its files were put back/m);
  sandbox.write('answers.yaml', GOOD);
  expect((await sandbox.troupe(['rollback', 'last', '--to', 'phases', '--yes'])).code).toBe(0);
  expect((await show(sandbox)).workflow_state).toMatchObject({ status: 'rollback', artifacts_created: [] });
  expect((await sandbox.troupe(['resume', 'last'])).code).toBe(0);
  const right = await show(sandbox);
  expect(statuses(right)).toBe('pending running failed rollback failed_final rollback running success');
  expect(right.workflow_state).toMatchObject({ phases_completed: ['planning', 'execution', 'verification'] });
  expect(agents(right)).toContain('execution#2 execution success');
});

test('[PH5] a fork has its own state: it waits, runs, and comes out', async () => {
  const sandbox = phaseProject(HALF);
  const { run } = await runPhases(sandbox);
  sandbox.write('answers.yaml', GOOD);
  await sandbox.troupe(['fork', run, '--at', 'phases', '--no-run']);
  expect((await show(sandbox)).workflow_state).toMatchObject({ status: 'pending', metadata: { forked_from: { run } } });
  expect((await sandbox.troupe(['resume', 'last'])).code).toBe(0);
  expect((await show(sandbox)).workflow_state).toMatchObject({ status: 'success' });
});

test('[PH5] every format has it: a state machine by its states', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const view = await show(sandbox);
  expect(view.workflow_state).toMatchObject({
    status: 'success',
    phases_completed: ['start', 'again'],
    artifacts_created: [],
    agents_spawned: ['worker'],
  });
  expect(agents(view)).toEqual(['worker worker success']);
  expect((await sandbox.troupe(['show', 'last'])).stdout).not.toMatch(/^phase /m);
});
