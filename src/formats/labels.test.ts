import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defineWorkflow } from './native/define-workflow.ts';
import { loadWorkflowFile } from './load-workflows.ts';

const SHIPPED = new URL('../../assets/workflows/', import.meta.url);

async function loaded(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-labels-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'flow.yaml'), text);
  return await loadWorkflowFile(join(folder, 'flow.yaml'), { file: 'flow.yaml' });
}

const PHASES = `name: phased
phases:
  - id: look
    agent_type: explorer
    input: {task: Look around.}
`;

const shipped = (name: string): string => readFileSync(new URL(name, SHIPPED), 'utf8');

test.for([
  ['state machine', shipped('race.yaml')],
  ['quest', shipped('quest.yaml')],
  ['review', shipped('parallel_review.yaml')],
  ['phases', PHASES],
] as const)('[U8] a file of the kind %s says in its file which labels a worker has to offer', async ([, text]) => {
  const plain = await loaded(text);
  if (!plain.ok) throw new Error(JSON.stringify(plain.problems));
  const result = await loaded(`${text}\nlabels: [gpu, linux]\n`);
  const labelled = plain.value.map((one) => ({ ...one, labels: ['gpu', 'linux'] }));
  expect(result).toEqual({ ...plain, value: labelled });
  const wrong = await loaded(`${text}\nlabels: [big gpu]\n`);
  expect(wrong).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('letters, digits') }] });
});

test('[U8] each workflow of a list has its own labels', async () => {
  const states = 'states: [{name: start, transition: [{target: stop, condition: "true"}]}, {name: stop}]';
  const result = await loaded(`- {workflow_name: one, labels: [gpu], ${states}}\n- {workflow_name: two, ${states}}\n`);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.value.map(({ name, labels }) => [name, labels])).toEqual([
    ['one', ['gpu']],
    ['two', undefined],
  ]);
});

test('[U8] a workflow in TypeScript has labels', () => {
  const states = { start: { transitions: ['stop'] }, stop: { kind: 'end' } } as const;
  expect(defineWorkflow({ name: 'flow', labels: ['gpu'], states })).toMatchObject({ labels: ['gpu'] });
  expect(() => defineWorkflow({ name: 'flow', labels: ['gpu,linux'], states })).toThrow('letters, digits');
  const labels = 'gpu' as unknown as readonly string[];
  expect(() => defineWorkflow({ name: 'flow', labels, states })).toThrow('labels');
});
