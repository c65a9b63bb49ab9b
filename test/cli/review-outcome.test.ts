import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CompareView } from '../../src/formats/review/views/compare-view.ts';
import { reviewProject, runReview } from './review-project.ts';
import type { Sandbox } from './sandbox.ts';

/** The best one still gets it wrong after the only revision. */
function redProject(): Sandbox {
  const sandbox = reviewProject();
  sandbox.write(
    'answers.yaml',
    sandbox.read('answers.yaml').replace('=> n + n', '=> n + 1').replace('=> value + value', '=> 3'),
  );
  const file = '.troupe/workflows/two_minds.yaml';
  sandbox.write(file, `${sandbox.read(file)}max_revisions: 1\n`);
  return sandbox;
}

describe('[PD6] no revision is left and the best is red', () => {
  test('it ends as partial; what there is waits, marked, and nothing of it comes into the project by itself', async () => {
    const sandbox = redProject();
    const { code, stderr } = await sandbox.troupe(['run', 'two_minds', 'Double it.', '--apply', '--allow-partial']);
    expect(code).toBe(0);
    expect(existsSync(join(sandbox.project, 'double.mjs'))).toBe(false);
    expect(stderr).toMatch(
      /✗ partial after .*: REVISIONS_USED: The best so far, impl_1, is NOT VERIFIED: The merged files do not pass/,
    );
    expect(stderr).toMatch(
      /^Changed files wait in the workspace impl_1, NOT VERIFIED: .*\n {2}look: {2}troupe diff (\S+) --agent impl_1\n {2}take: {2}troupe deliver \1 --agent impl_1 --unverified/m,
    );
    expect(stderr).toMatch(
      /^hint: See what was red: troupe compare (?!RUN)\S+\. Take it marked as not verified: troupe deliver (?!RUN)/m,
    );
    const [compared, debated, shown] = await Promise.all(
      ['compare', 'debate', 'show'].map(async (command) => (await sandbox.troupe([command, 'last'])).stdout),
    );
    for (const text of [compared, debated]) {
      expect(text).toMatch(/^best +impl_1, NOT VERIFIED: The merged files do not pass/m);
      expect(text).toMatch(/take it marked: troupe deliver \S+ --agent impl_1 --unverified/);
    }
    expect(shown).toMatch(/^changes +wait in the workspace impl_1: troupe diff \S+ --agent impl_1$/m);
    const view = JSON.parse((await sandbox.troupe(['compare', 'last', '--json'])).stdout) as CompareView;
    expect(view).toMatchObject({ outcome: 'partial', unverified: { implementation: 'impl_1' } });
  });

  test('without --allow-partial it is no success', async () => {
    expect(await runReview(redProject(), ['two_minds', 'Double it.', '--apply'])).toMatchObject({ code: 1 });
  });

  test('[PD7] on request it is delivered and marked: as a branch, as a line of JSON, or in the files', async () => {
    const sandbox = redProject();
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: sandbox.project, encoding: 'utf8' });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'x');
    const { run } = await runReview(sandbox);
    const plain = await sandbox.troupe(['deliver', run]);
    expect(plain.stderr).toContain(
      `take it marked as not verified:  troupe deliver ${run} --agent impl_1 --unverified`,
    );
    const named = ['deliver', run, '--agent', 'impl_1'];
    expect((await sandbox.troupe(named)).stderr).toContain('RESULT_NOT_VERIFIED');
    const branch = await sandbox.troupe([...named, '--unverified']);
    expect(branch.stderr).toMatch(/^NOT VERIFIED: The merged files do not pass/);
    expect(git('log', '-1', '--format=%B', `troupe/${run}-impl_1`)).toContain(
      'NOT VERIFIED: The merged files do not pass',
    );
    const printed = JSON.parse((await sandbox.troupe([...named, '--unverified', '--json'])).stdout) as object;
    expect(printed).toMatchObject({ unverified: expect.stringContaining('do not pass') });
    const applied = await sandbox.troupe([...named, '--unverified', '--apply']);
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('NOT VERIFIED') });
    expect(existsSync(join(sandbox.project, 'double.mjs'))).toBe(true);
  });
});

describe('[PD2] the command cannot be run', () => {
  test('where no person can be asked there is no run', async () => {
    const sandbox = reviewProject();
    const words = ['run', 'two_minds', 'Double it.', '--no-input', '--input', 'verify=no-such-program --all'];
    const { code, stderr } = await sandbox.troupe(words);
    expect(code).toBe(2);
    expect(stderr).toContain('VERIFY_UNUSABLE: The command `no-such-program --all` cannot be run');
    expect((await sandbox.troupe(['list', '--json'])).stdout).not.toContain('two_minds');
  });

  test('a fault that only shows when it is tried waits for a person, before the first paid call', async () => {
    const sandbox = reviewProject();
    const words = ['run', 'two_minds', 'Double it.', '--no-input', '--input', 'verify=sh -c no-such-program'];
    const { code, stderr } = await sandbox.troupe(words);
    expect(code).toBe(3);
    expect(stderr).toContain('`sh -c no-such-program` ended with exit code 127');
    expect(stderr).not.toContain('[impl_1]');
    const [, run = ''] = /started as run (\S+)/.exec(stderr) ?? [];
    const ended = await sandbox.troupe(['answer', run, 'q1', 'node --test test.mjs']);
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`other implementations:  troupe compare ${run}`),
    });
    // What the losing ones changed is for --verbose.
    expect(ended.stderr).not.toContain('Changed files wait');
    expect((await sandbox.troupe(['show', run])).stdout).toMatch(/^status +ok · in a patch$/m);
  });
});

test('[L3] a model that is not configured is reported by check, at its line', async () => {
  const sandbox = reviewProject();
  const file = sandbox.write('bad.yaml', 'name: bad\nimplementers: [base]\nreviewers: [base, nowhere]\n');
  const { code, stdout } = await sandbox.troupe(['check', file]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/bad\.yaml:3:\d+ {2}MODEL_UNKNOWN {2}There is no model named "nowhere"/);
});

test('[PD1] scripted models bear the names that they are configured by, and scenarios tell them apart', async () => {
  const sandbox = reviewProject();
  sandbox.write(
    '.troupe/config.yaml',
    'models:\n  base: { provider: scripted, scenario: answers.yaml }\n  twin: { provider: scripted, scenario: answers.yaml }\n',
  );
  const file = '.troupe/workflows/two_minds.yaml';
  sandbox.write(file, sandbox.read(file).replace('{ model: base, name: lazy }', '{ model: twin, name: lazy }'));
  sandbox.write('answers.yaml', sandbox.read('answers.yaml').replace('when: { agent: lazy }', 'when: { model: twin }'));
  const { run } = await runReview(sandbox);
  const view = JSON.parse((await sandbox.troupe(['compare', run, '--json'])).stdout) as CompareView;
  expect(view.implementations.map(({ id, standing }) => [id, standing])).toContainEqual(['lazy', 'lost']);
  expect(view.implementations[0]?.models).toEqual(['base']);
});
