import * as fc from 'fast-check';
import { dump } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Problem } from '../../core/model/fault.ts';
import type { Json } from '../../core/model/json.ts';
import { OUTCOMES } from '../../core/model/outcome.ts';
import { validateWorkflow } from '../../core/check/validate.ts';
import { nowhere } from '../../source/place.ts';
import { readDocument } from '../../source/read-document.ts';
import { parseStateMachine } from './parse-state-machine.ts';

const AGENTS = ['coder', 'reviewer', 'architect'];
const EXPRESSIONS = [
  'common_data.task',
  "'Do: ' + common_data.task",
  'agents.coder.getLastResponse()',
  'variables.n + 1',
];
const CONDITIONS = [
  'true',
  true,
  "this.getToolCalls('coder').length > 0",
  'function.review_work.arguments.improvement_needed === false',
  'common_data.n < 3',
  '[1, 2].map(x => x * 2).includes(common_data.n)',
];
const SCRIPTS = [
  '() => { this.common_data.n = (this.common_data.n || 0) + 1; }',
  "this.common_data.text = this.getAgent('coder').getLastResponse();",
  'executionContext => { for (const x of [1, 2]) this.common_data.n = x; }',
];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const expression = fc.constantFrom(...EXPRESSIONS);
const script = fc.constantFrom(...SCRIPTS);
const agent = fc.constantFrom(...AGENTS);

const doing = fc.oneof(
  fc.record({ agent, input: maybe(expression) }),
  fc.record({
    agent,
    input: expression,
    action: fc.record({ function: fc.constantFrom('sendUserMessage', 'addUserMessage') }),
  }),
  fc.record({ agent, action: fc.record({ function: fc.constant('clearConversation'), script: maybe(script) }) }),
  fc.record({ agents: fc.uniqueArray(agent, { minLength: 1 }), input: maybe(expression) }),
  fc.record({ action: fc.record({ script }) }),
  fc.record({ action: fc.record({ function: fc.constant('script'), script }) }),
  fc.record({
    action: fc.record({
      sub_workflow: fc.constant('other'),
      sub_workflow_input: fc.dictionary(fc.constantFrom('a', 'b'), expression),
    }),
  }),
  fc.constant({}),
);

/** The last transition of each state leads onwards, so every generated file has a way to its end. */
const file = fc.integer({ min: 1, max: 8 }).chain((count) => {
  const names = ['start', ...Array.from({ length: count - 1 }, (_, index) => `state ${index}`)];
  const states = names.map((name, index) => {
    const onwards = [...names.slice(index + 1), 'stop'];
    const transition = fc.record({
      target: fc.constantFrom(...names, 'stop'),
      condition: fc.constantFrom(...CONDITIONS),
      before: maybe(script),
    });
    return fc
      .tuple(
        doing,
        fc.array(transition, { maxLength: 3 }),
        fc.constantFrom(...onwards),
        maybe(fc.constantFrom(...names)),
      )
      .map(([work, transitions, next, failure]) => ({
        name,
        ...work,
        transition: [{ target: next, condition: 'common_data.n === 0' }, ...transitions, { target: next }],
        on_failure: failure,
      }));
  });
  return fc.record({
    workflow_name: fc.constant('generated'),
    description: maybe(fc.string({ unit: 'grapheme' })),
    input: maybe(
      fc.record({ name: fc.constant('task'), type: fc.constantFrom('string', 'number', 'object', 'array') }),
    ),
    output: maybe(fc.record({ name: fc.constant('result'), type: fc.constantFrom('string', 'object') })),
    variables: maybe(fc.record({ max_iterations: fc.integer({ min: 1, max: 99 }), n: fc.integer() })),
    contexts: fc.constant([{ name: 'talk', starting_messages: [{ role: 'user', content: 'Hi' }] }]),
    agents: fc.tuple(
      ...AGENTS.map((name) =>
        fc.record({
          agent_role: fc.constant(name),
          context: fc.constant('talk'),
          role: fc.constantFrom('user', 'assistant'),
        }),
      ),
    ),
    states: fc.tuple(...states, fc.record({ name: fc.constant('stop'), input: maybe(expression) })),
  });
});

const plain = (document: unknown): Json => JSON.parse(JSON.stringify(document)) as Json;

test('[L1] every valid file lowers to a workflow that validates, as JSON and as YAML alike', () => {
  fc.assert(
    fc.property(file.map(plain), fc.boolean(), (document, asYaml) => {
      const name = asYaml ? 'w.yaml' : 'w.json';
      const source = readDocument(asYaml ? dump(document) : JSON.stringify(document), { file: name });
      if (!source.ok) throw new Error(JSON.stringify(source.problems));
      expect(source.value.document).toEqual(document);
      const result = parseStateMachine(source.value.document, { file: name, locate: source.value.locate });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      const [workflow] = result.value;
      if (workflow === undefined) throw new Error('nothing lowered');
      expect(validateWorkflow(workflow).filter((problem) => problem.severity === 'error')).toEqual([]);
      expect(plain(workflow)).toEqual(workflow);
      const written = (document as { states: { name: string }[] }).states.map((state) => state.name);
      expect(Object.keys(workflow.states).sort()).toEqual([...new Set(written)].sort());
      for (const state of Object.values(workflow.states)) {
        expect(state.at?.line).toBeGreaterThan(0);
        for (const outcome of state.kind === 'work' ? Object.keys(state.on) : []) expect(OUTCOMES).toContain(outcome);
      }
    }),
    { numRuns: 150 },
  );
});

test('[L3] a valid file with one value exchanged for another is accepted or reported, never a crash', () => {
  const spoiled = fc.tuple(file.map(plain), fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([document, at, value]) => {
    let countdown = at % 60;
    return JSON.parse(
      JSON.stringify(document, (_, inner: unknown) => {
        countdown -= 1;
        return countdown === 0 ? value : inner;
      }) ?? 'null',
    ) as Json;
  });
  fc.assert(
    fc.property(spoiled, (document) => {
      const result = parseStateMachine(document, { file: 'w.json', locate: nowhere });
      const hasErrors = (problems: readonly Problem[]) => problems.some((problem) => problem.severity === 'error');
      const found = result.ok ? result.value.flatMap((one) => validateWorkflow(one)) : result.problems;
      expect(hasErrors(found)).toBe(!result.ok);
    }),
    { numRuns: 300 },
  );
});
