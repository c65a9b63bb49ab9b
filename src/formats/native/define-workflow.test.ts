import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { validateWorkflow } from '../../core/check/validate.ts';
import { loadWorkflowFile } from '../load-workflows.ts';
import { defineWorkflow } from './define-workflow.ts';
import { workflowsOfModule } from '../../source/workflow-module.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-native-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const problemsOf = (define: () => unknown): readonly string[] => {
  try {
    define();
  } catch (error) {
    if (!isFault(error)) throw error;
    expect(error.code).toBe('WORKFLOW_INVALID');
    return error.problems.map(({ code, path }) => `${code} ${path}`);
  }
  return [];
};

const child = defineWorkflow({
  name: 'child',
  inputs: { task: 'string' },
  states: { start: { transitions: ['done'] }, done: { kind: 'end' } },
});

const everything = defineWorkflow({
  name: 'everything',
  description: 'Each kind of work once',
  inputs: { task: 'string', depth: { type: 'number', required: false } },
  output: 'summary',
  data: { list: ['a', 'b'] },
  contexts: { talk: { maxLength: 1000, startingMessages: [{ role: 'assistant', content: 'Ready.' }] } },
  agents: {
    coder: { context: 'talk', workspace: 'own', holds: ['database'] },
    judge: { role: 'reviewer', side: 'user' },
  },
  limits: { iterations: 5, usd: 2 },
  onFailure: 'rollback',
  states: {
    start: {
      enter: 'this.common_data.n = 1',
      work: { kind: 'turn', agent: 'coder', input: 'common_data.task' },
      transitions: [{ target: 'test', when: 'common_data.n > 0', assign: 'this.common_data.n = 2' }, 'failed'],
      on: { failed: ['failed'], timeout: [{ target: 'start', when: 'common_data.n < 3' }, 'failed'] },
      timeoutMs: 60_000,
      retry: { tries: { network: 5 } },
    },
    test: {
      work: {
        kind: 'command',
        command: "'npm test'",
        okExitCodes: [0, 1],
        agent: 'coder',
        network: true,
        holds: ['port'],
      },
      transitions: ['ask'],
    },
    ask: { work: { kind: 'ask', question: "'Go on?'", choices: ['yes', 'no'] }, transitions: ['pause'] },
    pause: { work: { kind: 'wait', ms: 500 }, transitions: ['delegate'] },
    delegate: {
      work: { kind: 'call', workflow: child, input: { task: 'common_data.task' }, workspace: 'own' },
      transitions: ['each'],
    },
    each: {
      work: {
        kind: 'pool',
        items: 'common_data.list',
        work: { kind: 'turn', agent: 'judge', input: "'Judge ' + item + ' at ' + index" },
        slots: 2,
        join: { quorum: 1 },
        grow: 'result.more',
      },
      transitions: ['steps'],
      on: { partial: ['steps'] },
    },
    steps: {
      work: {
        kind: 'pool',
        units: {
          one: { work: { kind: 'command', command: "'one'" } },
          two: { after: ['one'], work: { kind: 'wait', ms: 'common_data.n * 10' } },
        },
      },
      transitions: ['bring'],
    },
    bring: {
      work: { kind: 'merge', agent: 'coder', verify: "'npm test'" },
      transitions: ['home'],
      on: { blocked: ['start'] },
    },
    home: { work: { kind: 'merge', agent: null }, transitions: [{ target: 'done', when: "outcome === 'ok'" }] },
    done: { kind: 'end', output: 'common_data.summary' },
    failed: { kind: 'end', outcome: 'failed' },
  },
});

test('[U3] every kind of work can be written in TypeScript and lowers to a workflow that validates', () => {
  expect(validateWorkflow(everything)).toEqual([]);
  const kinds = Object.values(everything.states).map((state) => (state.kind === 'end' ? 'end' : state.work.kind));
  expect(kinds).toEqual(['turn', 'command', 'ask', 'wait', 'call', 'pool', 'pool', 'merge', 'merge', 'end', 'end']);
});

test('[U3] what is left out has the values that files have', () => {
  expect(everything.limits).toEqual({ iterations: 5, toolRounds: 50, usd: 2 });
  expect(everything.inputs).toEqual([
    { name: 'task', type: 'string', description: '', required: true },
    { name: 'depth', type: 'number', description: '', required: false },
  ]);
  expect(everything.output).toEqual({ name: 'summary', type: 'any' });
  expect(everything.agents).toEqual([
    { name: 'coder', role: 'coder', context: 'talk', side: 'assistant', workspace: 'own', holds: ['database'] },
    { name: 'judge', role: 'reviewer', context: 'judge', side: 'user' },
  ]);
  expect(everything.contexts).toEqual([
    { name: 'talk', maxLength: 1000, startingMessages: [{ author: 'coder', role: 'assistant', content: 'Ready.' }] },
    { name: 'judge', maxLength: 50_000, startingMessages: [] },
  ]);
});

test('[U3] states lower with their scripts, handlers, timeout and retry', async () => {
  const text = `${JSON.stringify(everything, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'fixtures', 'everything.golden'));
});

test('[U3] all problems are thrown at once, each with its path', () => {
  const problems = problemsOf(() =>
    defineWorkflow({
      name: 'bad',
      agents: { coder: {} },
      states: {
        start: {
          enter: 'let =',
          work: { kind: 'turn', agent: 'coder', input: 'please do it' },
          transitions: [{ target: 'start', when: 'a +' }],
        },
        done: { kind: 'end', output: ')' },
      },
    }),
  );
  expect(problems).toEqual([
    'EXPRESSION_INVALID states.start.enter',
    'EXPRESSION_INVALID states.start.work.input',
    'EXPRESSION_INVALID states.start.transitions[0].when',
    'EXPRESSION_INVALID states.done.output',
    'UNREACHABLE_STOP states.start',
  ]);
});

test('[U3] names that do not exist are errors of the compiler, and at run time too', () => {
  const wrongTarget = () =>
    // @ts-expect-error -- "dne" is no state of this workflow
    defineWorkflow({ name: 'w', states: { start: { transitions: ['dne'] }, done: { kind: 'end' } } });
  const wrongAgent = () =>
    defineWorkflow({
      name: 'w',
      agents: { coder: {} },
      states: {
        // @ts-expect-error -- "tester" is no agent of this workflow
        start: { work: { kind: 'turn', agent: 'tester' }, transitions: ['done'] },
        done: { kind: 'end' },
      },
    });
  const wrongContext = () =>
    defineWorkflow({
      name: 'w',
      contexts: { talk: {} },
      // @ts-expect-error -- "walk" is no context of this workflow
      agents: { coder: { context: 'walk' } },
      states: { start: { transitions: ['done'] }, done: { kind: 'end' } },
    });
  expect(problemsOf(wrongTarget)).toContain('STATE_UNKNOWN states.start.transitions[0]');
  expect(problemsOf(wrongAgent)).toEqual(['AGENT_UNKNOWN states.start.work.agent']);
  expect(problemsOf(wrongContext)).toEqual(['CONTEXT_UNKNOWN agents.coder']);
});

test('[L5] a pool that may drop units must say what happens then', () => {
  const race = () =>
    defineWorkflow({
      name: 'race',
      states: {
        start: {
          work: { kind: 'pool', units: { a: { work: { kind: 'wait', ms: 1 } } }, join: 'first' },
          transitions: ['done'],
        },
        done: { kind: 'end' },
      },
    });
  expect(problemsOf(race)).toEqual(['JOIN_DROPS_UNITS states.start.work.join']);
});

test('[U3] a workflow stays plain JSON although it is recognised among other exports', () => {
  expect(JSON.parse(JSON.stringify(everything))).toEqual(everything);
  expect(workflowsOfModule({ default: everything, again: everything, helper: () => 1, config: { name: 'x' } })).toEqual(
    [everything, child],
  );
  expect(workflowsOfModule({ list: [child] })).toEqual([child]);
  expect(workflowsOfModule(null)).toEqual([]);
});

test('[U3] a module is run like a file, with the workflows it calls', async () => {
  const from = JSON.stringify(join(import.meta.dirname, 'define-workflow.ts'));
  const source = `import { defineWorkflow } from ${from};
    const inner = defineWorkflow({ name: 'inner', states: { start: { transitions: ['end'] }, end: { kind: 'end' } } });
    export const outer = defineWorkflow({ name: 'outer', states: {
      start: { work: { kind: 'call', workflow: inner }, transitions: ['end'] }, end: { kind: 'end' } } });`;
  writeFileSync(join(folder, 'flow.ts'), source);
  const result = await loadWorkflowFile(join(folder, 'flow.ts'), { file: 'flow.ts' });
  expect(result.ok && result.value.map(({ name, file }) => [name, file])).toEqual([
    ['outer', 'flow.ts'],
    ['inner', 'flow.ts'],
  ]);
});

test('[U3] the workflow in the guide can be run as it stands there', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/workflows.md'), 'utf8');
  const source = /```ts\n([^]*?)```/.exec(guide)?.[1] ?? '';
  const from = JSON.stringify(join(import.meta.dirname, 'define-workflow.ts'));
  writeFileSync(join(folder, 'release.ts'), source.replace("'troupe'", from));
  const result = await loadWorkflowFile(join(folder, 'release.ts'));
  expect(result).toMatchObject({ ok: true, value: [{ states: { start: { work: { kind: 'ask' } } } }], warnings: [] });
});

test('[L3] a module without workflows, with a bad one, or that throws, is reported', async () => {
  const from = JSON.stringify(join(import.meta.dirname, 'define-workflow.ts'));
  writeFileSync(join(folder, 'none.mjs'), 'export const x = 1;');
  writeFileSync(
    join(folder, 'bad.ts'),
    `import { defineWorkflow } from ${from};\nexport const w = defineWorkflow({ name: 'w', states: {} });`,
  );
  writeFileSync(join(folder, 'throws.mjs'), 'throw new Error("no luck");');
  writeFileSync(
    join(folder, 'closes.ts'),
    `import { defineWorkflow } from ${from};\nconst most: number = 3;\nexport const w = defineWorkflow({ name: 'w', states: {
    start: { transitions: [{ target: 'end', when: () => (1 as number) > most }, 'end'] }, end: { kind: 'end' } } });`,
  );
  expect(await loadWorkflowFile(join(folder, 'closes.ts'), { file: 'closes.ts' })).toMatchObject({
    problems: [{ code: 'FUNCTION_CLOSES_OVER', file: 'closes.ts', at: { line: 4 } }],
  });
  const codes = ['none.mjs', 'bad.ts', 'throws.mjs'].map(async (name) => {
    const result = await loadWorkflowFile(join(folder, name));
    return result.ok ? 'accepted' : result.problems.map((problem) => problem.code).join();
  });
  expect(await Promise.all(codes)).toEqual(['WORKFLOW_MISSING', 'START_MISSING', 'MODULE_FAILED']);
});

test('[L8] names that every object has are refused in code as in files', () => {
  expect(
    problemsOf(() =>
      defineWorkflow({
        name: 'w',
        inputs: { toString: 'string' as const },
        data: { valueOf: 1 },
        agents: { hasOwnProperty: {} },
        states: { start: { transitions: ['constructor'] }, constructor: { kind: 'end' } },
      }),
    ),
  ).toEqual([
    'NAME_RESERVED inputs.toString',
    'NAME_RESERVED data.valueOf',
    'NAME_RESERVED contexts.hasOwnProperty',
    'NAME_RESERVED agents.hasOwnProperty',
    'NAME_RESERVED states.constructor',
  ]);
});
