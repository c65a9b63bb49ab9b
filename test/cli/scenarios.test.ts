import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';

const BAD = `rules:
  - when: { state: start }
    reply: A long answer.
  - when: { roll: worker }
    reply: { say: Done., delay_ms: soon }
`;

test('[L3] a scenario with errors is refused before a run begins, with file, line, key, code and a way out', async () => {
  const sandbox = scriptedProject({ 'answers.yaml': BAD });
  const result = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(
    /^troupe: SCENARIO_INVALID: The scenario .*answers\.yaml cannot be used in line 4 at rules\[1\]/,
  );
  expect(result.stderr).toMatch(/answers\.yaml:4:13 {2}KEY_UNKNOWN {2}The key "roll" .*\(Did you mean "role"\?\)/);
  expect(result.stderr).toMatch(
    /answers\.yaml:5:\d+ {2}VALUE_INVALID {2}"delay_ms" must be a whole number.*; it is "soon"/,
  );
  expect(result.stderr).toContain('hint: Fix the file');
  const list = await sandbox.troupe(['list', '--json']);
  expect(JSON.parse(list.stdout)).toMatchObject({ items: [] });
});

test('[L3] a scenario that is not there is refused before a run begins', async () => {
  const sandbox = scriptedProject({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: asnwers.yaml }\n',
  });
  const result = await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/SCENARIO_INVALID: .*asnwers\.yaml.*does not exist/);
});

test('[L3] check tells errors of a scenario, by its own name and by the configuration that names it', async () => {
  const sandbox = scriptedProject({ 'answers.yaml': BAD });
  for (const file of ['.troupe/config.yaml', 'answers.yaml']) {
    const result = await sandbox.troupe(['check', file]);
    expect(result.code).toBe(2);
    expect(result.stdout).toMatch(/^answers\.yaml:4:13 {2}KEY_UNKNOWN /);
    expect(result.stdout).toContain(`${file}: not valid`);
  }
  sandbox.write('answers.yaml', BAD.replace('roll', 'role').replace('soon', '0'));
  const good = await sandbox.troupe(['check', 'answers.yaml', '.troupe/config.yaml']);
  expect(good).toMatchObject({ code: 0, stdout: 'answers.yaml: ok\n.troupe/config.yaml: ok\n' });
});

test('[L3] doctor reads the scenarios of the configuration', async () => {
  const sandbox = scriptedProject({ 'answers.yaml': BAD });
  const bad = await sandbox.troupe(['doctor']);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/error +model +base: scripted, .*, cannot be used\n.*answers\.yaml:4:13 {2}KEY_UNKNOWN/);
  const missing = await scriptedProject({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: asnwers.yaml }\n',
  }).troupe(['doctor']);
  expect(missing.stdout).toMatch(/error +model +base: .*asnwers\.yaml, cannot be used\n.*does not exist/);
});
