import { afterEach, describe, expect, test } from 'vitest';
import { forgetRegistered, listWorkflows, loadWorkflow, registerWorkflow } from './registry.ts';
import { architectureWorkflow } from './shipped/architecture.ts';
import { developmentWorkflow } from './shipped/development.ts';
import { researchWorkflow } from './shipped/research.ts';
import { isConditionKnown, registerCondition } from './rules/stage-condition.ts';
import { tiny } from './testing/tiny-workflow.ts';

afterEach(forgetRegistered);

const mine = () => tiny({ stages: [{ name: 'a' }] });

describe('[ST2] workflows by name', () => {
  test.each([
    ['research', researchWorkflow],
    ['development', developmentWorkflow],
    ['architecture', architectureWorkflow],
    ['architect', architectureWorkflow],
  ])('%s', (name, workflow) => {
    expect(loadWorkflow(name)).toBe(workflow);
  });

  test('the list has the names that can be started', () => {
    expect(listWorkflows()).toEqual(['research', 'development', 'architecture', 'architect']);
  });

  test.each(['nothing', '', '__proto__', 'constructor'])('"%s" is unknown', (name) => {
    expect(() => loadWorkflow(name)).toThrowError(
      expect.objectContaining({ code: 'WORKFLOW_UNKNOWN', message: `Unknown workflow type: ${name}` }),
    );
  });
});

describe('[ST2] workflows of one’s own', () => {
  test('are known by their name and aliases', () => {
    const workflow = registerWorkflow(mine(), { aliases: ['small'] });
    expect(loadWorkflow('tiny')).toBe(workflow);
    expect(loadWorkflow('small')).toBe(workflow);
    expect(listWorkflows()).toContain('tiny');
    expect(() => registerWorkflow(workflow)).not.toThrow();
  });

  test('a name that is taken is refused', () => {
    registerWorkflow(mine());
    expect(() => registerWorkflow(mine())).toThrowError('There is a workflow tiny already.');
    const named = mine();
    named.definition.name = 'research';
    expect(() => registerWorkflow(named)).toThrowError(expect.objectContaining({ code: 'WORKFLOW_TWICE' }));
  });

  test('one with problems is refused with all of them', () => {
    const wrong = tiny({ stages: [{ name: 'a', timeout: 0 }], entryStage: 'x', completionStage: 'y' });
    expect(() => registerWorkflow(wrong)).toThrowError(
      expect.objectContaining({
        code: 'BAD_STAGE_WORKFLOW',
        problems: expect.arrayContaining([
          expect.objectContaining({ path: 'entryStage' }),
          expect.objectContaining({ path: 'completionStage' }),
          expect.objectContaining({ path: 'stages[0].timeout' }),
        ]),
      }),
    );
    expect(listWorkflows()).not.toContain('tiny');
  });

  test('can be forgotten, conditions included, so that files are read again', () => {
    registerWorkflow(mine());
    registerCondition('registry:x', () => true);
    forgetRegistered();
    expect(listWorkflows()).not.toContain('tiny');
    expect(isConditionKnown('registry:x')).toBe(false);
  });

  test('a module that is loaded twice knows the same workflows', async () => {
    const workflow = registerWorkflow(mine());
    const again: { loadWorkflow: typeof loadWorkflow } = await import(
      /* @vite-ignore */ `./registry.ts?again=${Date.now()}`
    );
    expect(again.loadWorkflow).not.toBe(loadWorkflow);
    expect(again.loadWorkflow('tiny')).toBe(workflow);
  });
});
