import { expect, test } from 'vitest';
import { parseScenario } from './scenario.ts';

const problemsOf = (value: unknown) => {
  const result = parseScenario(value, { file: 'demo.yaml' });
  return result.kind === 'refused' ? result.problems : [];
};

test('[U4] a scenario is a list of rules, or an object that holds one', () => {
  const rules = [{ when: { role: 'coder', visit: [1, 2] }, reply: 'Hello.' }];
  const list = parseScenario(rules);
  expect(list).toMatchObject({
    kind: 'parsed',
    scenario: { rules: [{ when: { role: ['coder'], visit: [1, 2] }, times: null, answer: { kind: 'reply' } }] },
  });
  expect(parseScenario({ rules })).toEqual(list);
});

test('[U4] a rule needs no condition, and turn is another word for call', () => {
  const parsed = parseScenario([{ reply: 'a' }, { when: { turn: 2 }, reply: 'b' }]);
  expect(parsed).toMatchObject({ scenario: { rules: [{ when: {} }, { when: { call: [2] } }] } });
});

test('[L3] everything wrong is told at once, with its place and its file', () => {
  const problems = problemsOf([
    { when: { roll: 'coder' }, reply: 'a' },
    { reply: 'a', steps: ['b'] },
    { when: { contains: '/(/' }, reply: { say: 'a', retry_after: 1 } },
    { reply: { cut: true, hang: true } },
    { reply: { status: 200 } },
    { reply: {} },
  ]);
  expect(problems.map((problem) => problem.path)).toEqual([
    '[0].when',
    '[1]',
    '[2].when.contains',
    '[2].reply',
    '[3].reply',
    '[4].reply.status',
    '[5].reply',
  ]);
  expect(new Set(problems.map((problem) => problem.file))).toEqual(new Set(['demo.yaml']));
  expect(problems.every((problem) => problem.code === 'SCENARIO_INVALID' && problem.message !== '')).toBe(true);
});

test.each([null, 'rules', 7, { rule: [] }])('[L3] %j is no scenario', (value) => {
  expect(problemsOf(value).length).toBeGreaterThan(0);
});
