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

test('[U4] a rule needs no condition, and turn is an alias of call', () => {
  const parsed = parseScenario([{ reply: 'a' }, { when: { turn: 2 }, reply: 'b' }]);
  expect(parsed).toMatchObject({ scenario: { rules: [{ when: {} }, { when: { call: [2] } }] } });
});

test('[L3] everything wrong is reported at once, with its place and its file', () => {
  const problems = problemsOf([
    { when: { roll: 'coder' }, reply: 'a' },
    { reply: 'a', steps: ['b'] },
    { when: { contains: '/(/' }, reply: { say: 'a', retry_after: 1 } },
    { reply: { cut: true, hang: true } },
    { reply: { status: 200 } },
    { reply: {} },
  ]);
  expect(problems.map((problem) => problem.path)).toEqual([
    '[0].when.roll',
    '[1]',
    '[2].when.contains',
    '[2].reply',
    '[3].reply',
    '[4].reply.status',
    '[5].reply',
  ]);
  expect(new Set(problems.map((problem) => problem.file))).toEqual(new Set(['demo.yaml']));
  expect(problems[0]).toMatchObject({ code: 'KEY_UNKNOWN', hint: 'Did you mean "role"?' });
  expect(problems.slice(1).every(({ code }) => code === 'VALUE_INVALID')).toBe(true);
});

test('[L3] messages name the key and what may stand there', () => {
  const problems = problemsOf([
    { when: { visit: 0, role: 7 }, reply: 'a' },
    { reply: { delay_ms: -1, hang: false, finish: 'early' } },
    { reply: { tools: [{ nmae: 'x' }] }, times: 'twice' },
    { steps: [] },
    { reply: { status: 500, then: { sya: 'a' } } },
  ]);
  expect(problems.map(({ message, hint = '' }) => `${message} ${hint}`.trim())).toEqual([
    '"role" must be a name or a list of names; it is 7.',
    '"visit" must be a whole number above 0; it is 0.',
    '"delay_ms" must be a whole number, zero or more; it is -1.',
    '"finish" must be one of done, length, filtered; it is "early".',
    '"hang" can only be true, or be left out; it is false.',
    '"name" is missing.',
    'The key "nmae" is not known in tools[0]. Did you mean "name"?',
    '"times" must be a whole number above 0; it is "twice".',
    '"steps" must have at least one reply; it is an empty list.',
    'The key "sya" is not known in then. Did you mean "say"?',
    '"then" must say something ("say"), call tools ("tools") or name a fault; for one that says nothing write "empty: true".',
  ]);
});

test.each([null, 'rules', 7, { rule: [] }])('[L3] %j is no scenario', (value) => {
  expect(problemsOf(value).length).toBeGreaterThan(0);
});
