import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { validateWorkflow } from '../../core/check/validate.ts';
import { defineWorkflow } from './define-workflow.ts';

test('[L4] [Q2] what code says of steps, evidence, actors and ends stands in the workflow', () => {
  const workflow = defineWorkflow({
    name: 'w',
    agents: { coder: { actor: 'claude-code' } },
    states: {
      start: {
        work: {
          kind: 'turn',
          agent: 'coder',
          input: "'go'",
          step: "'one'",
          evidence: { files: "['a.txt']", commands: "'npm test'" },
        },
        transitions: ['look'],
      },
      look: { work: { kind: 'diff', agent: 'coder' }, transitions: ['all'] },
      all: { work: { kind: 'diff' }, transitions: ['lost'] },
      lost: { kind: 'end', outcome: 'partial', failure: "({ code: 'HALF', message: 'Half of it.' })" },
    },
  });
  expect(validateWorkflow(workflow)).toEqual([]);
  expect(workflow).toMatchObject({
    agents: [{ name: 'coder', actor: 'claude-code' }],
    states: {
      start: {
        work: {
          step: { kind: 'literal', value: 'one' },
          evidence: { files: { kind: expect.any(String) }, commands: { kind: 'literal', value: 'npm test' } },
        },
      },
      look: { work: { kind: 'command', builtin: 'diff', agent: 'coder' } },
      all: { work: { kind: 'command', builtin: 'diff' } },
      lost: { outcome: 'partial', failure: { kind: expect.any(String) } },
    },
  });
});

test('[L3] invalid code is reported with its place', () => {
  const define = () =>
    defineWorkflow({
      name: 'w',
      agents: { coder: {} },
      states: {
        start: {
          work: { kind: 'turn', agent: 'coder', step: 'step one', evidence: { files: 'all of them' } },
          transitions: ['end'],
        },
        end: { kind: 'end', failure: 'not good' },
      },
    });
  let paths: readonly (string | undefined)[] = [];
  try {
    define();
  } catch (error) {
    if (isFault(error)) paths = error.problems.map(({ path }) => path);
  }
  expect(paths).toEqual(['states.start.work.step', 'states.start.work.evidence.files', 'states.end.failure']);
});
