import { describe, expect, test } from 'vitest';
import { validateWorkflow } from '../../../core/check/validate.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { buildDefinition } from '../../definition.ts';
import { mergeRoles, type RoleParts } from '../../../source/roles/placed-role.ts';
import { developmentWorkflow, researchWorkflow, type WorkflowDefinition } from '../stages.ts';
import { loadShipped } from '../../load-assets.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { lowerStages } from './lower-stages.ts';
import { plannedStages, shippedStages } from './planned-stages.ts';
import type { StagePlan } from './stage-plan.ts';

const planOf = (definition: WorkflowDefinition, more: Partial<StagePlan> = {}): StagePlan => ({
  definition,
  module: null,
  fallback: {},
  ...more,
});

function whole(plan: StagePlan): Workflow {
  const [first] = lowerStages(plan);
  if (first === undefined) throw new Error('Nothing was lowered.');
  return first;
}

describe('[ST1] the shipped stage workflows', () => {
  test('have a state for each stage, and all of them lead through route', () => {
    const { states, start } = whole(planOf(researchWorkflow.definition));
    expect(start).toBe('route');
    expect(Object.keys(states)).toEqual([
      'route',
      'initial_research',
      'verification',
      'deep_dive',
      're_verification',
      'synthesis',
      'asking',
      'done',
      'partial',
      'failed',
    ]);
    for (const stage of researchWorkflow.definition.stages) {
      const state = states[stage.name];
      expect(state).toMatchObject({ work: { kind: 'turn', agent: stage.agent }, transitions: [{ target: 'route' }] });
    }
  });

  test('are sound, and can be run with the shipped roles under all their names', async () => {
    const roles = mergeRoles((await loadShipped()).roles);
    const all = shippedStages();
    expect(all.map(({ name }) => name)).toEqual(['research', 'development', 'architecture', 'architect']);
    for (const workflow of all) {
      expect(validateWorkflow(workflow)).toEqual([]);
      const built = buildDefinition(workflow.name, all, roles);
      expect(built).toMatchObject({ ok: true, warnings: [] });
    }
  });

  test('[A3] who verifies research reaches the network where the researcher does, if its own role does not say', async () => {
    const { roles } = await loadShipped();
    const networkOf = (over: RoleParts) => {
      const built = buildDefinition('research', shippedStages(), mergeRoles(roles, over));
      return valueOrFault(built, 'INTERNAL').roles['research:reviewer']?.network === true;
    };
    expect(networkOf({})).toBe(true);
    expect(networkOf({ researcher: { network: false } })).toBe(false);
    expect(networkOf({ reviewer: { network: false } })).toBe(false);
  });

  test('[ST3] a role has the structured replies of the stages it plays instead of its own, and none twice', async () => {
    const roles = mergeRoles((await loadShipped()).roles);
    const built = valueOrFault(buildDefinition('development', shippedStages(), roles), 'INTERNAL');
    const toolsOf = (role: string): readonly string[] =>
      built.roles[`development:${role}`]?.parsingTools.map(({ name }) => name) ?? [];
    expect(toolsOf('reviewer')).toEqual(['submit_review', 'ask_question', 'report_status']);
    expect(toolsOf('developer')).toEqual(['submit_artifact', 'ask_question', 'report_status']);
    expect(built.roles['development:reviewer']?.systemMessage).toBe(roles['reviewer']?.systemMessage);
  });

  test('[L4] a stage that makes files has them looked at before its word counts', () => {
    const { states } = whole(planOf(developmentWorkflow.definition));
    expect(states['implementation/begin']).toMatchObject({ work: { program: 'step.begin' } });
    expect(states['implementation/evidence']).toMatchObject({ work: { program: 'step.collect' } });
    expect(Object.keys(states).filter((name) => /\/(?:begin|evidence)$/.test(name))).toHaveLength(6);
  });
});

const OWN: WorkflowDefinition = {
  name: 'own',
  description: 'Of my own',
  version: '1.0.0',
  agents: ['a', 'b', 'c'],
  stages: [
    { name: 'route', agent: 'a', description: 'A', outputType: 'task', timeout: 5000 },
    { name: 'two', agent: 'b', description: 'B', outputType: 'result', fallback: ['c'] },
  ],
  entryStage: 'route',
  completionStage: 'two',
  config: { failureStrategy: 'abort' },
};

const ROLES = mergeRoles({ a: {}, b: {}, c: {} });

describe('[ST2] stage workflows of users', () => {
  test('may name stages as the engine names its own states', () => {
    expect(Object.keys(whole(planOf(OWN)).states)).toContain('stage_route');
    expect(validateWorkflow(whole(planOf(OWN)))).toEqual([]);
  });

  test('[ST3] timeout is that of the state, beside what is left of the whole time', () => {
    expect(whole(planOf(OWN)).states['stage_route']).toMatchObject({ timeoutMs: 5000, timeout: { kind: 'member' } });
  });

  test('[ST5] a fallback has a state and the replies of the stage', () => {
    const { states, casts } = whole(planOf(OWN));
    expect(states['two@c']).toMatchObject({ work: { agent: 'c' } });
    expect(casts?.['own:c']?.change.parsingTools?.[0]?.name).toBe('submit_result');
  });

  test('[ST5] a role may name who steps in; a stage that names somebody knows better', () => {
    const roles = { ...ROLES, a: { ...PLAIN, fallback: ['b'] }, b: { ...PLAIN, fallback: ['a'] } };
    const built = valueOrFault(buildDefinition('own', plannedStages(planOf(OWN)), roles), 'INTERNAL');
    const places = Object.keys(built.workflow.states).filter((name) => name.includes('@'));
    expect(places).toEqual(['stage_route@b', 'two@c']);
    expect(JSON.stringify(built.workflow.states['route'])).toContain('"fallback"');
  });

  test('[ST5] stages that may run together are workflows that the whole calls', () => {
    const parallel = { ...OWN, config: { ...OWN.config, parallelAgents: true } };
    const all = lowerStages(planOf(parallel, { alias: 'mine', file: 'own.ts' }));
    expect(all.map(({ name, file }) => `${name} ${file ?? ''}`)).toEqual([
      'mine own.ts',
      'mine/stage_route own.ts',
      'mine/two own.ts',
      'mine/two@c own.ts',
    ]);
    for (const workflow of all) expect(buildDefinition(workflow.name, all, ROLES)).toMatchObject({ ok: true });
    expect(all[1]?.states['turn']).toMatchObject({ timeoutMs: 5000 });
  });

  test('a missing role is reported', () => {
    const built = buildDefinition('own', plannedStages(planOf(OWN)), mergeRoles({ a: {}, b: {} }));
    expect(built).toMatchObject({
      ok: false,
      problems: [{ code: 'ROLE_UNKNOWN', message: 'There is no role named "c".' }],
    });
  });
});

const PLAIN = {
  ...ROLES['a'],
  name: 'a',
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};
