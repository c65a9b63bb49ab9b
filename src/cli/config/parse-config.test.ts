import { expect, test } from 'vitest';
import type { Problem } from '../../core/fault.ts';
import { parseConfig } from './parse-config.ts';

const place = { file: '.troupe/config.yaml', folder: '/project' };

function problemsOf(text: string): readonly Problem[] {
  const result = parseConfig(text, place);
  expect(result.ok).toBe(false);
  return result.ok ? [] : result.problems;
}

test('[U4] a model of each provider is read, with its price per million tokens', () => {
  const result = parseConfig(
    [
      'models:',
      '  base: { provider: openai-compatible, base_url: "http://127.0.0.1:1/v1", model: small, price: { input: 1, output: 2 } }',
      '  smart: { provider: anthropic, model: large, api_key_env: SOME_KEY }',
      '  fast: { provider: scripted, scenario: answers.yaml }',
    ].join('\n'),
    place,
  );
  expect(result.ok && result.value.models).toEqual({
    base: {
      kind: 'api',
      apiKeyEnv: null,
      config: {
        name: 'base',
        provider: 'openai-compatible',
        model: 'small',
        baseUrl: 'http://127.0.0.1:1/v1',
        price: { input: 1, output: 2 },
      },
    },
    smart: { kind: 'api', apiKeyEnv: 'SOME_KEY', config: { name: 'smart', provider: 'anthropic', model: 'large' } },
    fast: { kind: 'scripted', scenario: '/project/answers.yaml' },
  });
});

test('[L3] an unknown key is refused at its line, with the key that was meant', () => {
  const [problem] = problemsOf('models: {}\nlimts:\n  max_usd: 1\n');
  expect(problem).toMatchObject({ file: '.troupe/config.yaml', at: { line: 2, column: 1 } });
  expect(problem?.hint).toContain('limits');
});

test('[L3] every problem of the file is told at once', () => {
  const problems = problemsOf(
    'models:\n  base:\n    provider: openai\n    modle: x\nlimits:\n  max_usd: much\nnotify: 3\n',
  );
  expect(problems.map((problem) => problem.path)).toEqual(
    expect.arrayContaining(['models.base.modle', 'models.base.model', 'limits.max_usd', 'notify']),
  );
});

test('[L3] a provider that does not exist is told with the list of those that do', () => {
  const [problem] = problemsOf('models:\n  base: { provider: opnai, model: x }\n');
  expect(problem?.message).toContain('openai-compatible, openai, anthropic, scripted');
});

test('[U4] limits are read in seconds and kept in milliseconds', () => {
  const result = parseConfig('limits: { max_duration: 90, max_iterations: 7 }', place);
  expect(result.ok && result.value.limits).toEqual({ durationMs: 90_000, iterations: 7 });
});

test('[U4] a file with nothing but comments configures nothing', () => {
  const result = parseConfig('# models:\n#   base: {}\n\n', place);
  expect(result.ok && result.value.models).toEqual({});
});

test('[PH6] how often and how soon calls are tried again is read by class of failure', () => {
  const result = parseConfig('retry: { base_ms: 10, max_ms: 200, tries: { rate: 3, bad-reply: 1 } }', place);
  expect(result.ok && result.value.retry).toEqual({ baseMs: 10, maxMs: 200, tries: { rate: 3, 'bad-reply': 1 } });
});

test.each([
  ['retry: { tries: { rat: 3 } }', 'retry.tries.rat', 'Did you mean "rate"?'],
  ['retry: { tries: { rate: 0 } }', 'retry.tries.rate', undefined],
  ['retry: { base_ms: -1 }', 'retry.base_ms', undefined],
  ['retry: { base_ms: 10, max_ms: 5 }', 'retry', undefined],
])('[L3] %s is refused at its place', (text, path, hint) => {
  const [problem] = problemsOf(`${text}\n`);
  expect(problem?.path).toBe(path);
  expect(problem?.hint).toBe(hint);
});

test('[L3] whoever writes the key itself is told where its name goes, and no known key is listed twice', () => {
  const [key] = problemsOf('models:\n  base: { provider: openai, model: m, api_key: secret }\n');
  expect(key).toMatchObject({ code: 'KEY_UNKNOWN', hint: expect.stringContaining('api_key_env') });
  const [other] = problemsOf('models:\n  base: { provider: openai, model: m, zzzzzz: 1 }\n');
  const listed = (other?.hint ?? '').replace(/^Known here: |\.$/g, '').split(', ');
  expect(listed).toContain('provider');
  expect(new Set(listed).size).toBe(listed.length);
});
