import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ArtifactView } from '../../src/protocol/artifacts/artifact-view.ts';
import { GOOD, HALF, FIXED, phaseProject, runPhases, widest } from './phase-project.ts';
import { scriptedProject } from './projects.ts';
import { createSandbox, root, type Sandbox } from './sandbox.ts';

async function artifactsOf(sandbox: Sandbox, ...words: readonly string[]): Promise<readonly ArtifactView[]> {
  const { stdout } = await sandbox.troupe(['artifacts', 'last', ...words, '--json']);
  return (JSON.parse(stdout) as { readonly items: readonly ArtifactView[] }).items;
}

const short = ({ path, version, now }: ArtifactView): string => `${path} ${version} ${now}`;

test("[PH4] the artifacts of the document's workflow, with id, type, producer, time, path, hash and provenance", async () => {
  const sandbox = phaseProject(GOOD);
  const { run, code } = await runPhases(sandbox);
  expect(code).toBe(0);
  const artifacts = await artifactsOf(sandbox);
  expect(artifacts.map(({ type, producer, path, now }) => `${type} ${producer} ${path} ${now}`)).toEqual([
    'plan planning specs/hello_plan.md same',
    'plan planning specs/hello_tasks.json same',
    'code execution src/data.bin same',
    'code execution src/hello.ts same',
    'report execution outputs/execution_report.json same',
    'report verification docs/walkthrough_hello.md same',
    'report verification outputs/verification_report.json same',
  ]);
  expect(artifacts[0]).toMatchObject({
    id: expect.stringMatching(new RegExp(`^${run}/t\\d+/plan/specs/hello_plan\\.md@[0-9a-f]{12}$`)),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    phase: 'planning',
    bytes: 8,
    version: 1,
    dependencies: [],
  });
  expect(artifacts[3]?.dependencies).toEqual([artifacts[0]?.id, artifacts[1]?.id]);
  const { stdout } = await sandbox.troupe(['artifacts', 'last']);
  expect(stdout).toMatch(/^plan {4}specs\/hello_plan\.md, version 1\n {8}by planning, .*, 8 bytes\n {8}\S+\/plan\//);
  expect(widest(stdout)).toBeLessThanOrEqual(80);
});

test('[PH4] an artifact is printed byte for byte: by its path, by a beginning of its id, by its hash', async () => {
  const sandbox = phaseProject(GOOD);
  const { run } = await runPhases(sandbox);
  const [plan, , data] = await artifactsOf(sandbox);
  for (const name of [
    'specs/hello_plan.md',
    'specs/hello_plan.md#1',
    plan?.id,
    plan?.id.slice(run.length + 1, -3),
    plan?.hash.slice(0, 8),
  ]) {
    expect(await sandbox.troupe(['artifacts', 'last', String(name)])).toMatchObject({
      code: 0,
      stdout: '# Hello\n',
      stderr: '',
    });
  }
  expect((await sandbox.troupe(['artifacts', run, 'src/data.bin'])).stdout).toBe('a\0b');
  const json = JSON.parse((await sandbox.troupe(['artifacts', run, 'src/data.bin', '--json'])).stdout) as object;
  expect(json).toEqual({ kind: 'artifact', ...data, content_base64: 'YQBi' });
});

test('[PH7] after a rollback the content can still be had; the file is reported as changed or gone', async () => {
  const sandbox = phaseProject(HALF, { 'specs/hello_plan.md': 'old\n' });
  const { code } = await runPhases(sandbox);
  expect(code).toBe(1);
  expect((await artifactsOf(sandbox)).map(short)).toEqual([
    'specs/hello_plan.md 1 changed',
    'specs/hello_tasks.json 1 gone',
  ]);
  const { stdout } = await sandbox.troupe(['artifacts', 'last']);
  expect(stdout).toContain('specs/hello_plan.md, version 1  changed since\n');
  expect(stdout).toContain('specs/hello_tasks.json, version 1  gone\n');
  const plan = await sandbox.troupe(['artifacts', 'last', 'specs/hello_plan.md']);
  expect(plan).toMatchObject({ stdout: '# Hello\n', stderr: expect.stringContaining('now: changed since') });
});

test('[PH4] each version of a path has its own content and its own origin', async () => {
  const sandbox = phaseProject(FIXED);
  const { code } = await runPhases(sandbox);
  expect(code).toBe(0);
  const code2 = (await artifactsOf(sandbox)).filter(({ path }) => path === 'src/hello.ts');
  expect(code2.map((one) => `${one.producer} ${short(one)}`)).toEqual([
    'execution src/hello.ts 1 replaced',
    'fix src/hello.ts 2 same',
  ]);
  expect((await sandbox.troupe(['artifacts', 'last', 'src/hello.ts#1'])).stdout).toContain("'helo'");
  expect((await sandbox.troupe(['artifacts', 'last', 'src/hello.ts'])).stdout).toContain("'hello'");
});

test('[PH4] --why tells who made it, with which tool and model, in which record, from what, as a tree', async () => {
  const sandbox = phaseProject(GOOD);
  const { run } = await runPhases(sandbox);
  const { stdout } = await sandbox.troupe(['artifacts', 'last', 'outputs/verification_report.json', '--why']);
  expect(widest(stdout)).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/^outputs\/verification_report\.json, version 1 \(report\)\n│ made by {3}verification, /);
  expect(stdout).toMatch(new RegExp(`│ in +phase verification, run ${run}/t\\d+, record \\d+\n`));
  expect(stdout).toMatch(/│ with +submit_output in call 1, turn t\d+ of /);
  expect(stdout).toMatch(/│ model +base: 2 calls, [\d.]+k? tokens, \$0\.00\n/);
  expect(stdout).toContain('├─ specs/hello_plan.md, version 1 (plan)\n');
  expect(stdout).toMatch(/write_file in call 1, turn/);
  expect(stdout).toContain('specs/hello_plan.md, version 1 (see above)');
  const all = await sandbox.troupe(['artifacts', 'last', '--why', '--json']);
  const ends = (JSON.parse(all.stdout) as { readonly items: readonly { readonly artifact: ArtifactView }[] }).items;
  expect(ends.map(({ artifact }) => artifact.path)).toEqual([
    'outputs/execution_report.json',
    'docs/walkthrough_hello.md',
    'outputs/verification_report.json',
  ]);
});

test('[U7] a fork has the artifacts of the phases that were over before it, and goes on from them', async () => {
  const sandbox = phaseProject(GOOD);
  const { run, records } = await runPhases(sandbox);
  const own = records.filter((record) => record['run'] === run);
  const planning = own.find((record) => record['unit'] === 'planning' && record['kind'] === 'task.started');
  const planned = own.find((record) => record['task'] === planning?.['task'] && record['kind'] === 'task.ended');
  const forked = await sandbox.troupe(['fork', run, '--at', String(planned?.['seq'])]);
  expect(forked.code).toBe(0);
  const artifacts = await artifactsOf(sandbox);
  expect(artifacts.map(({ path }) => path)).toHaveLength(7);
  expect(artifacts.slice(0, 2).every(({ id }) => id.startsWith(`${run}/`))).toBe(true);
  expect(artifacts.slice(2).some(({ id }) => id.startsWith(`${run}/`))).toBe(false);
  expect(artifacts.every(({ now }) => now === 'same')).toBe(true);
  const { stdout } = await sandbox.troupe(['artifacts', 'last', 'src/hello.ts', '--why']);
  expect(stdout).toContain('├─ specs/hello_plan.md, version 1 (plan)\n');
});

test('[PH2] what agents with their own workspaces made is reported with the merged files', async () => {
  const rule = (agent: string, paths: readonly string[]): string => `
  - when: { agent: ${agent} }
    steps:
      - tools:
${paths.map((path) => `          - { name: write_file, arguments: { path: ${path}, content: "${agent}\\n" } }`).join('\n')}
      - Done.`;
  const answers = `rules:${rule('frontend', ['components/a.js', 'pages/b.js'])}${rule('backend', ['api/c.js', 'models/d.js'])}${rule('tests', ['tests/e.js'])}
  - when: { contains: "integration_report" }
    steps:
      - tools: [ { name: submit_output, arguments: { name: integration_report, content: "# All\\n" } } ]
      - Seen.
`;
  const sandbox = createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    'answers.yaml': answers,
    'parallel.yml': readFileSync(`${root}/src/formats/phases/parse/fixtures/parallel_feature.yml`, 'utf8'),
    'specs/frontend_spec.md': 'f',
    'specs/backend_spec.md': 'b',
    'specs/test_spec.md': 't',
  });
  const { code, stderr } = await sandbox.troupe(['run', 'parallel.yml', 'Build it']);
  expect(stderr).toContain('✓ ok after');
  expect(code).toBe(0);
  const artifacts = await artifactsOf(sandbox);
  expect(artifacts.map(short).toSorted()).toEqual([
    'api/c.js 1 same',
    'components/a.js 1 same',
    'models/d.js 1 same',
    'outputs/integration_report.md 1 same',
    'pages/b.js 1 same',
    'tests/e.js 1 same',
  ]);
});

test('a run that made none says so', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  expect(await sandbox.troupe(['artifacts', 'last'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('has no artifacts'),
  });
  expect(await artifactsOf(sandbox)).toEqual([]);
  const { code, stderr } = await sandbox.troupe(['artifacts', 'last', 'a.md']);
  expect(code).toBe(2);
  expect(stderr).toContain('ARTIFACT_UNKNOWN');
});

test('[L10] a name that no run or artifact has, or several, is bad usage', async () => {
  const sandbox = phaseProject(GOOD);
  const { run } = await runPhases(sandbox);
  for (const [words, message] of [
    [['nothing'], 'RUN_UNKNOWN'],
    [[run, 'nothing.md'], 'ARTIFACT_UNKNOWN'],
    [[run, run], 'ARTIFACT_AMBIGUOUS'],
    [[run, 'nothing.md', '--why'], 'ARTIFACT_UNKNOWN'],
  ] as const) {
    const result = await sandbox.troupe(['artifacts', ...words]);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  }
});
