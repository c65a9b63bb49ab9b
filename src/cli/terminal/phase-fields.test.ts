import { expect, test } from 'vitest';
import type { PhaseState, WorkflowState } from '../../protocol/workflow-state/workflow-state.ts';
import { phaseFields } from './agent-fields.ts';

const PHASE: PhaseState = {
  phase: 'planning',
  state: 'phases',
  status: 'ended',
  outcome: 'ok',
  reason: null,
  started_at: '2026-01-02T03:04:05.000Z',
  completed_at: '2026-01-02T03:04:17.000Z',
  duration: 12,
  times: 1,
  record: 7,
  outputs: ['specs/plan.md'],
  run: 'r/t1',
};

const stateOf = (parts: Partial<WorkflowState>): WorkflowState => ({
  workflow_id: 'r',
  status: 'running',
  current_phase: null,
  current_phases: [],
  phases_completed: [],
  artifacts_created: [],
  agents_spawned: [],
  started_at: '2026-01-02T03:04:05.000Z',
  completed_at: null,
  metadata: {},
  phases: [],
  history: [],
  ...parts,
});

test('[PH5] phases are shown with status, outcome, time and outputs', () => {
  const phases: readonly PhaseState[] = [
    PHASE,
    { ...PHASE, phase: 'execution', status: 'running', outcome: null, duration: null, outputs: [] },
    {
      ...PHASE,
      phase: 'fix',
      status: 'pending',
      outcome: null,
      duration: null,
      started_at: null,
      record: null,
      outputs: [],
    },
    { ...PHASE, phase: 'check', outcome: 'failed', reason: 'Red.', times: 2, outputs: ['a', 'b', 'c', 'd', 'e', 'f'] },
    { ...PHASE, phase: 'last', outcome: 'skipped', reason: 'No need.', outputs: [] },
  ];
  const fields = phaseFields('r', stateOf({ phases, artifacts_created: ['a', 'b'] }), []);
  expect(fields.map(([name, value]) => `${name} ${value.replace(/\d\d:\d\d:\d\d/, 'TIME')}`)).toEqual([
    'phase planning   ok, 12 s, specs/plan.md, record 7',
    'phase execution  running since TIME, record 7',
    'phase fix        waits',
    'phase check      failed, 12 s, 2 times, a, b, c, d and 2 more, record 7, Red.',
    'phase last       skipped, record 7, No need.',
    'artifacts 2; see them with: troupe artifacts r',
  ]);
});

test('states without outputs are shown by the line of states alone', () => {
  const phases = [{ ...PHASE, phase: 'a', state: 'a', outputs: [] }];
  expect(phaseFields('r', stateOf({ phases }), [])).toEqual([]);
  expect(phaseFields('r', undefined, [])).toEqual([]);
});

test('many phases do not fill the screen', () => {
  const phases = Array.from({ length: 50 }, (_, index) => ({ ...PHASE, phase: `p${index}` }));
  const fields = phaseFields('r', stateOf({ phases }), []);
  expect(fields).toHaveLength(31);
  expect(fields.at(-1)).toEqual(['phase', 'and 20 more']);
});

test('[PH5] progress is what an agent says, while it is at it', () => {
  const said = { agent_id: 'planning', progress: 0.45, progress_message: 'Analyzing codebase...' };
  expect(phaseFields('r', stateOf({}), [{ ...said, status: 'running' }])).toEqual([
    ['progress', 'planning: 45 %, Analyzing codebase...'],
  ]);
  expect(phaseFields('r', stateOf({}), [{ ...said, status: 'success' }])).toEqual([]);
  expect(phaseFields('r', stateOf({}), [{ agent_id: 'x', status: 'running', progress: null }])).toEqual([]);
});

test('[PH7] a run that was rolled back says so', () => {
  expect(phaseFields('r', stateOf({ status: 'failed_final' }), [])[0]?.[0]).toBe('rollback');
  expect(phaseFields('r', stateOf({ status: 'rollback' }), [])[0]?.[0]).toBe('rollback');
  expect(phaseFields('r', stateOf({ status: 'failed' }), [])).toEqual([]);
});

test('[PH5] of a run that is over or paused nothing is running', () => {
  const phases: readonly PhaseState[] = [
    { ...PHASE, status: 'running', outcome: null, duration: null, outputs: [] },
    { ...PHASE, status: 'pending', outcome: null, duration: null, started_at: null, record: null, outputs: [] },
  ];
  for (const parts of [{ completed_at: '2026-01-02T03:05:00.000Z' }, { metadata: { paused: 'a person said so' } }]) {
    const values = phaseFields('r', stateOf({ phases, ...parts }), []).map(([, value]) => value);
    expect(values).toEqual(['planning  stopped, record 7', 'planning  not begun']);
  }
});
