import { expect, test } from 'vitest';
import { calledWorkflows, callSites, checkCalls } from './call-graph.ts';
import { DEFAULT_LIMITS, type Parameter, type Work, type Workflow } from '../model/workflow.ts';

const call = (workflow: string, ...inputs: readonly string[]): Extract<Work, { kind: 'call' }> => ({
  kind: 'call',
  workflow,
  input: Object.fromEntries(inputs.map((name) => [name, { kind: 'literal', value: 1 }])),
});

const workflow = (name: string, works: readonly Work[], inputs: readonly Parameter[] = []): Workflow => ({
  name,
  description: '',
  family: 'test',
  inputs,
  output: null,
  data: {},
  contexts: [],
  agents: [],
  start: 'state0',
  states: Object.fromEntries(
    works.map((work, index) => [
      `state${index}`,
      {
        kind: 'work',
        name: `state${index}`,
        enter: null,
        work,
        transitions: [],
        on: {},
        timeoutMs: null,
        retry: null,
        at: { line: index + 1, column: 1 },
      },
    ]),
  ),
  limits: DEFAULT_LIMITS,
  file: `${name}.json`,
});

const library = (...workflows: readonly Workflow[]) => new Map(workflows.map((one) => [one.name, one]));
const problemsOf = (main: Workflow, ...others: readonly Workflow[]) =>
  checkCalls(main, library(main, ...others)).map(({ code, message, file, at }) => [code, message, file, at?.line]);

test('[SM4] calls are found in states and in the units of pools', () => {
  const fixed: Work = {
    kind: 'pool',
    units: { kind: 'fixed', list: [{ id: 'u', after: [], work: call('b') }] },
    slots: 1,
    join: { rule: 'all' },
    grow: null,
  };
  const items: Work = { ...fixed, units: { kind: 'items', items: { kind: 'undefined' }, work: call('c') } };
  expect(callSites(workflow('w', [call('a'), fixed, items])).map((site) => site.workflow)).toEqual(['a', 'b', 'c']);
});

test('[SM4] the workflows a run may start are gathered over all levels, each once', () => {
  const main = workflow('main', [call('a'), call('b')]);
  const found = calledWorkflows(
    main,
    library(main, workflow('a', [call('b')]), workflow('b', []), workflow('unused', [])),
  );
  expect(found.map((one) => one.name)).toEqual(['main', 'a', 'b']);
});

test('[SM4] an unknown sub-workflow is reported where it is called, also two levels down', () => {
  const main = workflow('main', [call('a')]);
  expect(problemsOf(main, workflow('a', [call('main2')]))).toEqual([
    ['WORKFLOW_UNKNOWN', 'There is no workflow named "main2".', 'a.json', 1],
  ]);
});

test('[SM4] recursion is refused and the cycle is reported once', () => {
  const main = workflow('main', [call('a')]);
  const a = workflow('a', [call('leaf'), call('b')]);
  expect(problemsOf(main, a, workflow('b', [call('a')]), workflow('leaf', []))).toEqual([
    ['WORKFLOW_RECURSION', 'A workflow may not call itself, but a calls b calls a.', 'a.json', 2],
  ]);
  expect(problemsOf(workflow('main', [call('main')]))).toEqual([
    ['WORKFLOW_RECURSION', 'A workflow may not call itself, but main calls main.', 'main.json', 1],
  ]);
});

test('[SM4] inputs that the called workflow does not have, or that are missing, are reported', () => {
  const inputs: readonly Parameter[] = [
    { name: 'task', type: 'string', description: '', required: true },
    { name: 'note', type: 'string', description: '', required: false },
  ];
  expect(problemsOf(workflow('main', [call('a', 'tsak')]), workflow('a', [], inputs)).map(([code]) => code)).toEqual([
    'INPUT_UNKNOWN',
    'INPUT_MISSING',
  ]);
  expect(problemsOf(workflow('main', [call('a', 'task')]), workflow('a', [], inputs))).toEqual([]);
});
