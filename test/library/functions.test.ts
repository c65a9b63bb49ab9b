import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isFault, type Problem } from '../../src/core/model/fault.ts';
import { defineWorkflow } from '../../src/index.ts';

const limit = 3;

const problemsOf = (define: () => unknown): readonly Problem[] => {
  try {
    define();
    return [];
  } catch (error) {
    if (isFault(error)) return error.problems;
    throw error;
  }
};

type When = (run: { readonly common_data: { readonly [name: string]: unknown }; readonly result: unknown }) => boolean;

const defined = (when: When) =>
  defineWorkflow({
    name: 'w',
    states: { start: { transitions: [{ target: 'end', when }, 'end'] }, end: { kind: 'end' } },
  });

const conditionOf = (when: When): unknown => {
  const { start } = defined(when).states;
  return start?.kind === 'work' ? start.transitions[0]?.when : null;
};

test('[R3] a function that uses a variable from outside is refused with its name, file and line', () => {
  const [problem] = problemsOf(() => defined((run) => Number(run.common_data['tries']) < limit));
  expect(problem).toMatchObject({
    code: 'FUNCTION_CLOSES_OVER',
    message: expect.stringContaining('`limit`'),
    path: 'states.start.transitions[0].when',
    file: expect.stringMatching(/functions\.test\.ts$/),
  });
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
  expect(lines[(problem?.at?.line ?? 0) - 1]).toContain('< limit))');
});

test('[R3] every function with a variable from outside is reported at once', () => {
  const problems = problemsOf(() =>
    defineWorkflow({
      name: 'w',
      states: {
        start: {
          enter: (run) => {
            run.common_data['tries'] = limit;
          },
          work: { kind: 'ask', question: () => `${limit}?` },
          transitions: [{ target: 'end', when: () => limit > 1 }],
        },
        end: { kind: 'end', output: () => limit },
      },
    }),
  );
  expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'FUNCTION_CLOSES_OVER states.start.enter',
    'FUNCTION_CLOSES_OVER states.start.work.question',
    'FUNCTION_CLOSES_OVER states.start.transitions[0].when',
    'FUNCTION_CLOSES_OVER states.end.output',
  ]);
});

test('[R3] what a function declares itself and what the language offers is no variable from outside', () => {
  const when: When = ({ common_data, result }) => {
    const list = [1, 2, 3].map((one) => one + Number(result));
    return Math.max(...list) > Object.keys(common_data).length;
  };
  expect(problemsOf(() => defined(when))).toEqual([]);
});

test('[R3] what no text may use is refused in functions for the same reason', () => {
  const [clock] = problemsOf(() => defined(() => Date.now() > 0));
  expect(clock).toMatchObject({ code: 'EXPRESSION_INVALID', message: expect.stringContaining('no clock') });
  const [builtin] = problemsOf(() => defined(Boolean));
  expect(builtin).toMatchObject({ code: 'EXPRESSION_INVALID' });
});

test('[R3] a script that gives an object back is refused, since nothing would read it', () => {
  const lost = (() => ({ tries: 1 })) as unknown as () => undefined;
  const [problem] = problemsOf(() =>
    defineWorkflow({
      name: 'w',
      states: { start: { transitions: [{ target: 'end', assign: lost }] }, end: { kind: 'end' } },
    }),
  );
  expect(problem).toMatchObject({ code: 'EXPRESSION_INVALID', path: 'states.start.transitions[0].assign' });
});

test('[R3] a simple function is evaluated by the core, whichever way its parameter is written', () => {
  const text = defineWorkflow({
    name: 'w',
    states: {
      start: { transitions: [{ target: 'end', when: "common_data.tries > 2 && result === 'x'" }, 'end'] },
      end: { kind: 'end' },
    },
  }).states['start'];
  const expected = text?.kind === 'work' ? text.transitions[0]?.when : null;
  expect(conditionOf(({ common_data, result }) => Number(common_data['tries']) > 2 && result === 'x')).toMatchObject({
    kind: 'isolate',
    reads: ['common_data', 'locals'],
  });
  expect(conditionOf(({ common_data, result }) => (common_data['tries'] as number) > 2 && result === 'x')).toEqual(
    expected,
  );
  expect(conditionOf((run) => (run.common_data['tries'] as number) > 2)).toMatchObject({ kind: 'binary' });
  expect(
    conditionOf(function when(run) {
      return run.result === 'x';
    }),
  ).toMatchObject({ kind: 'isolate' });
});
