import { createMachine } from 'xstate';
import { expect, test } from 'vitest';
import { parsePhases } from '../../formats/phases/parse/parse-phases.ts';
import { drawingOf } from '../../source/drawing.ts';
import { drawStages, shippedStages } from '../../formats/stages/parse/planned-stages.ts';
import { researchWorkflow } from '../../formats/stages/stages.ts';
import { edgesOf, linksOf } from '../../protocol/graph/edges.ts';
import { mermaid } from '../../app/library/graph/mermaid.ts';
import { xstate } from '../../app/library/graph/xstate.ts';
import type { Workflow } from '../../core/model/workflow.ts';

const PHASES = {
  name: 'feature',
  phases: [
    { id: 'plan', agent_type: 'planning', input: 'x', output: { plan: 'plan.md' } },
    { id: 'build', agent_type: 'execution', depends_on: ['plan'], input: 'x', output: { artifacts: [] } },
    { id: 'check', agent_type: 'verification', depends_on: ['build'], input: 'x', output: { report: 'report.json' } },
    {
      id: 'mend',
      agent_type: 'fix',
      depends_on: ['check'],
      condition: "${check.output.report.status == 'failed'}",
      max_iterations: 2,
      input: 'x',
      output: { artifacts: [] },
    },
  ],
};

function phases(): Workflow {
  const parsed = parsePhases(PHASES, { file: 'feature.yml', locate: () => undefined });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const [whole] = parsed.value;
  if (whole === undefined) throw new Error('There is none.');
  return whole;
}

function research(): Workflow {
  const found = shippedStages().find(({ name }) => name === 'research');
  if (found === undefined) throw new Error('There is none.');
  return found;
}

test('[U1][ST2] a row that completes the workflow leads to its end', () => {
  const { definition } = researchWorkflow;
  const rules = [
    { from: 'orchestrator', messageType: 'result', routeTo: 'x', updateStage: 'complete', isConditional: true },
  ] as const;
  const drawn = drawStages({ definition, rules, module: null, fallback: {} }, research());
  expect(edgesOf(drawn).filter(({ from }) => from === 'synthesis')).toEqual([
    { from: 'synthesis', to: 'done', label: 'result, if its rule holds' },
  ]);
});

const unescaped = (text: string): string =>
  text.replaceAll(/#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)));

test('[U1][PH2] a phase file is drawn with its phases, what they depend on, conditions and loops', () => {
  const { workflow, units } = drawingOf(phases());
  const text = unescaped(mermaid(workflow, units));
  for (const label of ['plan: planning', 'build: execution', 'check: verification', 'mend: fix']) {
    expect(text).toContain(`"${label}"`);
  }
  const pool = /state "phases: .*" as (s\d+)/.exec(text)?.[1] ?? '';
  expect(text).toContain(`  state ${pool} {`);
  expect(text).toContain(`[*] --> ${pool}_0`);
  expect(text).toContain(`${pool}_0 --> ${pool}_1`);
  expect(text).toContain(`${pool}_2 --> ${pool}_3 : if \${check.output.report.status == 'failed'}`);
  expect(text).toContain(`${pool}_3 --> ${pool}_2 : again, at most 2 rounds`);
});

test('[U1][PH2] XState and other tools get the phases too', () => {
  const { workflow, units } = drawingOf(phases());
  const machine = xstate(workflow, units);
  expect(machine).toMatchObject({
    states: {
      phases: {
        type: 'parallel',
        states: {
          build: { states: { waiting: { always: [{ guard: { params: { units: ['plan'] } } }] } } },
          mend: {
            states: { working: { invoke: { onDone: [{ guard: { params: { rounds: 2, again: ['check'] } } }, {}] } } },
          },
        },
      },
    },
  });
  expect(() => createMachine(machine as never).root.states['phases']?.states).not.toThrow();
  expect(linksOf({ workflow, units }).links).toContainEqual({ from: 'plan', to: 'build', label: '' });
});

test('[U1][ST1] a stage workflow is drawn from stage to stage, as far as it says where they lead', () => {
  const { workflow, units } = drawingOf(research());
  expect(linksOf({ workflow, units }).links.map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'initial_research > verification',
    'verification > synthesis',
    'verification > deep_dive',
    'deep_dive > re_verification',
    're_verification > synthesis',
    're_verification > deep_dive',
    'synthesis > done',
  ]);
  const text = unescaped(mermaid(workflow, units));
  expect(text).toContain('"deep_dive: researcher, if verdict NEEDS_REVISION, at most 2 times"');
  expect(() => createMachine(xstate(workflow, units) as never)).not.toThrow();
});
