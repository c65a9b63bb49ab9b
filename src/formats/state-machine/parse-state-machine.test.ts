import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Json } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { readDocument } from '../../source/read-document.ts';
import { parseStateMachine } from './parse-state-machine.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

const parseText = (text: string, file = 'w.json') => {
  const source = readDocument(text, { file });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  return parseStateMachine(source.value.document, { file, locate: source.value.locate });
};

const parse = (document: unknown) => parseText(JSON.stringify(document, null, 2));

const only = (document: unknown): Workflow => {
  const result = parse(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  const [workflow] = result.value;
  if (workflow === undefined || result.value.length > 1) throw new Error('not one workflow');
  return workflow;
};

const cast = {
  contexts: [{ name: 'talk' }],
  agents: [
    { agent_role: 'coder', context: 'talk', role: 'assistant' },
    { agent_role: 'reviewer', context: 'talk', role: 'user' },
  ],
};
const toStop = [{ target: 'stop', condition: 'true' }];
const workflow = (start: object, more: object = {}) => ({
  workflow_name: 'w',
  ...cast,
  states: [{ name: 'start', transition: toStop, ...start }, { name: 'stop' }],
  ...more,
});
const startOf = (document: unknown) => {
  const { start } = only(document).states;
  if (start?.kind !== 'work') throw new Error('start is no work');
  return start;
};

/** Positions would change with every line of a fixture, so goldens are without them. */
const withoutPlaces = (value: unknown): string =>
  `${JSON.stringify(value, (key, inner: unknown) => (key === 'at' || key === 'file' ? undefined : inner), 2)}\n`;

test.for(['coder_reviewer', 'hierarchical_development'])('[SM1] the full example %s lowers unchanged', async (name) => {
  const text = readFileSync(join(FIXTURES, `${name}.json`), 'utf8');
  const result = parseText(text, `${name}.json`);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.warnings).toEqual([]);
  await expect(withoutPlaces(result.value)).toMatchFileSnapshot(join(FIXTURES, `${name}.golden`));
});

test('[SM1] the same workflow as YAML lowers to the same model', () => {
  const document = JSON.parse(readFileSync(join(FIXTURES, 'coder_reviewer.json'), 'utf8')) as Json;
  const yaml = parseText(dump(document), 'w.yaml');
  const json = parse(document);
  if (!yaml.ok || !json.ok) throw new Error('refused');
  expect(withoutPlaces(yaml.value)).toBe(withoutPlaces(json.value));
});

test('[SM1] a file may hold a list of workflows', () => {
  const result = parse([workflow({}), { ...workflow({}), workflow_name: 'v' }]);
  expect(result.ok && result.value.map((one) => one.name)).toEqual(['w', 'v']);
});

test('[SM1] states and transitions know their line, in JSON and in YAML', () => {
  const document = workflow({});
  const json = parse(document);
  const yaml = parseText(dump(document), 'w.yaml');
  const lines = [json, yaml].map((result) => {
    const start = result.ok ? result.value[0]?.states['start'] : undefined;
    return start?.kind === 'work' ? [start.at?.line, start.transitions[0]?.at?.line] : [];
  });
  expect(lines).toEqual([
    [21, 24],
    [12, 14],
  ]);
});

test('[SM1] the result of stop is its input where given, else the output of the workflow', () => {
  const given = only({
    ...workflow({}),
    states: [
      { name: 'start', transition: toStop },
      { name: 'stop', input: 'common_data.done' },
    ],
  });
  expect(given.states['stop']).toMatchObject({
    kind: 'end',
    outcome: 'ok',
    output: { kind: 'member', property: 'done' },
  });
  expect(only(workflow({}, { output: { name: 'done', type: 'string' } }))).toMatchObject({
    output: { name: 'done', type: 'string' },
    states: { stop: { kind: 'end', output: null } },
  });
});

test('[SM1] stop need not be written down to be gone to', () => {
  const { states } = only({ workflow_name: 'w', states: [{ name: 'start', transition: toStop }] });
  expect(states['stop']).toEqual({ kind: 'end', name: 'stop', outcome: 'ok', output: null });
});

test('[SM1] the run starts in start, wherever it stands in the list', () => {
  const { start } = only({
    workflow_name: 'w',
    states: [
      { name: 'stop' },
      { name: 'middle', transition: toStop },
      { name: 'start', transition: [{ target: 'middle' }] },
    ],
  });
  expect(start).toBe('start');
});

test('[SM1] a condition that is left out, true or "true" always holds; false never does', () => {
  const whens = [undefined, true, 'true'].map((condition) => {
    const transition = [condition === undefined ? { target: 'stop' } : { target: 'stop', condition }];
    return startOf(workflow({ transition })).transitions[0]?.when;
  });
  expect(whens).toEqual([null, null, null]);
  const never = startOf(workflow({ transition: [{ target: 'stop', condition: false }, ...toStop] }));
  expect(never.transitions[0]?.when).toEqual({ kind: 'literal', value: false });
});

test('[SM6] before becomes what is assigned when the transition is taken', () => {
  const start = startOf(
    workflow({ transition: [{ target: 'stop', condition: 'true', before: '() => { this.common_data.x = 1; }' }] }),
  );
  expect(start.transitions[0]?.assign).toEqual({
    kind: 'assignments',
    steps: [{ path: ['x'], value: { kind: 'literal', value: 1 } }],
  });
});

test.for([
  ['sendUserMessage', 'ask'],
  ['addUserMessage', 'tell'],
  ['clearConversation', 'clear'],
] as const)('[SM4] %s is the turn %s', ([name, mode]) => {
  const input = mode === 'clear' ? {} : { input: 'common_data.task' };
  const { work, enter } = startOf(workflow({ agent: 'coder', action: { function: name }, ...input }));
  expect(work).toMatchObject({ kind: 'turn', agent: 'coder', mode });
  expect(enter).toBeNull();
});

test('[SM4] an agent without a function is asked, and a script beside it runs first', () => {
  const { work, enter } = startOf(
    workflow({ agent: 'coder', input: 'common_data.x', action: { script: 'this.common_data.x = "hi"' } }),
  );
  expect(work).toMatchObject({ kind: 'turn', mode: 'ask' });
  expect(enter).toMatchObject({ kind: 'assignments' });
});

test('[SM4] a script alone, also under the function "script", does nothing else', () => {
  const script = '() => { this.common_data.ready = true; }';
  for (const action of [{ script }, { function: 'script', script }]) {
    expect(startOf(workflow({ action }))).toMatchObject({ work: { kind: 'none' }, enter: { kind: 'assignments' } });
  }
  expect(startOf(workflow({ agent: 'coder', action: { function: 'script', script } })).work).toEqual({ kind: 'none' });
});

test('[SM4] a sub-workflow is called with expressions', () => {
  const action = { sub_workflow: 'coder_reviewer', sub_workflow_input: { task_to_do: 'common_data.technical_spec' } };
  expect(startOf(workflow({ action })).work).toEqual({
    kind: 'call',
    workflow: 'coder_reviewer',
    input: {
      task_to_do: {
        kind: 'member',
        object: { kind: 'name', name: 'common_data' },
        property: 'technical_spec',
        optional: false,
      },
    },
  });
});

test('[SM8] several agents of one state are a pool in which each takes one turn and all must be ok', () => {
  const { work } = startOf(workflow({ agents: ['coder', 'reviewer'], input: 'common_data.question' }));
  const input = {
    kind: 'member',
    object: { kind: 'name', name: 'common_data' },
    property: 'question',
    optional: false,
  };
  expect(work).toEqual({
    kind: 'pool',
    units: {
      kind: 'fixed',
      list: ['coder', 'reviewer'].map((agent) => ({
        id: agent,
        after: [],
        work: { kind: 'turn', agent, mode: 'ask', input },
      })),
    },
    slots: 2,
    join: { rule: 'all' },
    grow: null,
  });
});

test('[SM2] contexts have 50000 characters unless the file says otherwise, and keep their first messages', () => {
  const { contexts } = only(
    workflow(
      {},
      {
        contexts: [
          {
            name: 'talk',
            starting_messages: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Hello' },
              { role: 'assistant', content: 'Hello, what is the task?' },
            ],
          },
          { name: 'small', max_length: 100 },
        ],
      },
    ),
  );
  expect(contexts).toEqual([
    {
      name: 'talk',
      maxLength: 50_000,
      startingMessages: [
        { author: 'system', role: 'system', content: 'Be brief.' },
        { author: 'workflow', role: 'user', content: 'Hello' },
        { author: 'coder', role: 'assistant', content: 'Hello, what is the task?' },
      ],
    },
    { name: 'small', maxLength: 100, startingMessages: [] },
  ]);
});

test('[SM3] an agent has the side that its role says', () => {
  expect(only(workflow({})).agents.map(({ name, role, context, side }) => [name, role, context, side])).toEqual([
    ['coder', 'coder', 'talk', 'assistant'],
    ['reviewer', 'reviewer', 'talk', 'user'],
  ]);
});

test('[SM9] max_iterations bounds the entries into a state, 50 where the file sets none', () => {
  expect(only(workflow({})).limits.iterations).toBe(50);
  const bounded = only(workflow({}, { variables: { max_iterations: 7, other: { deep: [1] } } }));
  expect(bounded.limits.iterations).toBe(7);
  expect(bounded.data).toEqual({ max_iterations: 7, other: { deep: [1] } });
});

test('[U5] limits, a timeout and a way out of failure can be given', () => {
  const { limits } = only(workflow({}, { limits: { duration_s: 90, tokens: 1000, usd: 0.5, tool_rounds: 4 } }));
  expect(limits).toEqual({ iterations: 50, toolRounds: 4, durationMs: 90_000, tokens: 1000, usd: 0.5 });
  const start = startOf(workflow({ timeout_s: 1.5, on_failure: 'stop' }));
  expect(start.timeoutMs).toBe(1500);
  expect(Object.keys(start.on).sort()).toEqual(['crashed', 'failed', 'quota', 'timeout']);
  expect(start.on.timeout?.[0]).toMatchObject({ target: 'stop', when: null, assign: null });
});

test('[SM1] a variable with the name of the input is reported and left out, so the input counts', () => {
  const result = parse(workflow({}, { input: { name: 'task', type: 'string' }, variables: { task: 'default' } }));
  if (!result.ok) throw new Error('refused');
  expect(result.value[0]?.data).toEqual({});
  expect(result.warnings.map((one) => one.code)).toEqual(['VARIABLE_HIDDEN']);
});
