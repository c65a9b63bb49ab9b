import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { validateWorkflow } from '../../core/check/validate.ts';
import { defineWorkflow } from './define-workflow.ts';

const problemsOf = (define: () => unknown) => {
  try {
    define();
  } catch (error) {
    if (isFault(error)) return error.problems.map(({ code, path, hint }) => [`${code} ${path}`, hint] as const);
    throw error;
  }
  return [];
};

const done = { kind: 'end' } as const;

test('[PH7] [Q9] what code says of workspaces stands in the workflow, and nothing where it says nothing', () => {
  const workflow = defineWorkflow({
    name: 'w',
    onFailure: 'rollback',
    agents: { coder: { workspace: 'own', holds: ['database'] }, reader: {} },
    states: {
      start: {
        work: { kind: 'command', command: "'npm test'", agent: 'coder', network: true, holds: ['port'] },
        transitions: ['merge'],
      },
      merge: {
        work: { kind: 'merge', agent: 'coder', verify: "'npm test'", reportsOverlap: true },
        transitions: ['home'],
      },
      home: { work: { kind: 'merge', agent: null }, transitions: ['done'] },
      done,
    },
  });
  expect(validateWorkflow(workflow)).toEqual([]);
  expect(workflow).toMatchObject({
    onFailure: 'rollback',
    agents: [
      { name: 'coder', workspace: 'own', holds: ['database'] },
      { name: 'reader', role: 'reader' },
    ],
    states: {
      start: { work: { kind: 'command', agent: 'coder', network: true, holds: ['port'] } },
      merge: {
        work: { kind: 'merge', agent: 'coder', verify: { kind: 'literal', value: 'npm test' }, reportsOverlap: true },
      },
      home: { work: { kind: 'merge', agent: null } },
    },
  });
  expect(workflow.agents[1]).not.toHaveProperty('workspace');
});

test('[L3] a merge without an agent, invalid names and empty lists are reported together', () => {
  const found = problemsOf(() =>
    defineWorkflow<string, string>({
      name: 'w',
      agents: { coder: { workspace: 'my place' }, main: { workspace: 'own' } },
      states: {
        start: { work: { kind: 'merge', agent: 'codr' }, transitions: ['run'] },
        run: { work: { kind: 'command', command: "'x'", agent: 'nobody', holds: [] }, transitions: ['done'] },
        done,
      },
    }),
  );
  expect(found.map(([where]) => where)).toEqual([
    'WORKSPACE_INVALID agents.coder.workspace',
    'WORKSPACE_INVALID agents.main.workspace',
    'AGENT_UNKNOWN states.start.work.agent',
    'AGENT_UNKNOWN states.run.work.agent',
    'HOLDS_INVALID states.run.work.holds',
  ]);
  expect(found[2]?.[1]).toBe('The agents are coder, main.');
});

test('[L3] the form of each new key is looked at', () => {
  const loose = {
    name: 'w',
    onFailure: 'undo',
    agents: { coder: { workspace: 1, holds: 'database' } },
    states: {
      start: { work: { kind: 'command', command: "'x'", network: 'yes', holds: [1] }, transitions: ['merge'] },
      merge: { work: { kind: 'merge', agent: 7, verify: true }, transitions: ['call'] },
      call: { work: { kind: 'call', workflow: 'w', workspace: 'mine' }, transitions: ['done'] },
      done,
    },
  };
  const found = problemsOf(() => defineWorkflow(loose as never));
  expect(found.map(([where]) => where)).toEqual([
    'VALUE_INVALID onFailure',
    'VALUE_INVALID agents.coder.workspace',
    'VALUE_INVALID agents.coder.holds',
    'VALUE_INVALID states.start.work.network',
    'VALUE_INVALID states.start.work.holds[0]',
    'VALUE_INVALID states.merge.work.agent',
    'VALUE_INVALID states.merge.work.verify',
    'VALUE_INVALID states.call.work.workspace',
  ]);
});
