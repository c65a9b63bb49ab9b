import { expect, test } from 'vitest';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { parsePhases } from '../../formats/phases/parse/parse-phases.ts';
import { lowerStages } from '../../formats/stages/parse/lower-stages.ts';
import { researchWorkflow, type WorkflowDefinition } from '../../formats/stages/stages.ts';
import { definitionDiff } from './definition-diff.ts';
import { definitionChangeLines } from './definition-change.ts';

function linesOf(before: readonly Workflow[], after: readonly Workflow[]): readonly string[] {
  const changes = definitionDiff(definition(before), definition(after));
  return definitionChangeLines({ state: 'changed', file: null, files: [], changes });
}

function definition([workflow, ...others]: readonly Workflow[]): Definition {
  if (workflow === undefined) throw new Error('There is none.');
  return { workflow, library: Object.fromEntries(others.map((one) => [one.name, one])), roles: {} };
}

function phases(more: object, mend: object): readonly Workflow[] {
  const document = {
    name: 'feature',
    phases: [
      { id: 'build', agent_type: 'execution', input: 'x', output: { artifacts: [] }, ...more },
      { id: 'check', agent_type: 'verification', depends_on: ['build'], output: { report: 'report.json' } },
      {
        id: 'mend',
        agent_type: 'fix',
        depends_on: ['check'],
        condition: '${check.output.report.failed > 0}',
        output: { fixed: [] },
        ...mend,
      },
    ],
  };
  const parsed = parsePhases(document, { file: 'feature.yml', locate: () => undefined });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

test('[ST5][PH2] a changed phase file is reported by its phases and their keys', () => {
  expect(linesOf(phases({}, { max_iterations: 2 }), phases({}, { max_iterations: 3 }))).toEqual([
    '"mend" of workflow "feature": condition or max_iterations changed',
  ]);
  expect(linesOf(phases({}, {}), phases({ timeout: 60 }, {}))).toEqual([
    '"build" of workflow "feature": timeout changed',
  ]);
  expect(linesOf(phases({}, {}), phases({}, { depends_on: ['check', 'build'] }))).toEqual(
    expect.arrayContaining(['workflow "feature": phase "mend": depends_on']),
  );
});

const stages = (change: (definition: WorkflowDefinition) => WorkflowDefinition): readonly Workflow[] =>
  lowerStages({ definition: change(researchWorkflow.definition), module: null, fallback: {} });

test('[ST5] a changed stage workflow is reported by its stages', () => {
  const slower = stages((one) => ({
    ...one,
    stages: one.stages.map((stage) => (stage.name === 'deep_dive' ? { ...stage, timeout: 5000 } : stage)),
  }));
  const shorter = stages((one) => ({ ...one, stages: one.stages.filter(({ name }) => name !== 'deep_dive') }));
  const same = stages((one) => one);
  expect(linesOf(same, slower)).toEqual(['workflow "research": stage "deep_dive" changed']);
  expect(linesOf(same, shorter).join()).toContain('stage "deep_dive" removed');
  expect(linesOf(same, shorter).join()).not.toContain('state');
});
