import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../../../core/record/artifact-fact.ts';
import type { Fact } from '../../../core/record/fact.ts';
import { taskId } from '../../../core/model/ids.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import {
  askPrograms,
  begins,
  collects,
  type Benched,
  type BenchOptions,
  type BenchStep,
} from './testing/program-bench.ts';

const PLAN = { name: 'plan', form: 'file', path: 'specs/plan.md', type: 'plan' } as const;
const TASKS = { name: 'tasks', form: 'file', path: 'specs/tasks.json', type: 'plan' } as const;
const REPORT = { name: 'report', form: 'file', path: 'out/report.json', type: 'report' } as const;
const DATA = { name: 'data', form: 'file', path: 'data.json', type: 'data' } as const;
const CHANGED = { name: 'artifacts', form: 'changed', path: null, type: 'code' } as const;
const files = (path: string, name = 'artifacts'): JsonObject => ({ name, form: 'files', path, type: 'code' });

const TASK = { id: 1, description: 'Make the model', files: ['models/user.py'], risk: 'low' };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One phase: it begins, something happens, it is collected. */
async function phase(
  between: readonly BenchStep[],
  outputs: readonly JsonObject[],
  { criteria = [], ...options }: BenchOptions & { readonly criteria?: readonly (string | JsonObject)[] } = {},
): Promise<Benched> {
  return await askPrograms([begins('make'), ...between, collects('make', outputs, { criteria })], options);
}

const writes = (content: Readonly<Record<string, string>>): BenchStep => ({ by: 'maker', writes: content });

const artifactsIn = (facts: readonly Fact[]): readonly Artifact[] =>
  facts.flatMap((fact) => (fact.kind === 'artifact.recorded' ? [fact.artifact] : []));

const handed = (name: string, paths: readonly string[]): BenchStep => ({
  notes: [{ kind: 'output.handed', task: taskId('t2'), name, paths }],
});

describe('[PH4] outputs that are there', () => {
  test('become artifacts with hash, origin and dependencies, and are reported to the workflow', async () => {
    const text = '# Plan\n';
    const bench = await askPrograms(
      [
        begins('make'),
        writes({ 'specs/plan.md': text, 'specs/tasks.json': JSON.stringify({ tasks: [TASK] }) }),
        collects('make', [PLAN, TASKS], { dependencies: ['earlier/one'], type: 'planning' }),
      ],
      {},
    );
    const { run, answers, facts } = bench;
    const hash = sha256(text);
    const id = `${run}/plan/specs/plan.md@${hash.slice(0, 12)}`;
    expect(answers[1]).toMatchObject({
      outcome: 'ok',
      output: {
        output: { plan: 'specs/plan.md', tasks: 'specs/tasks.json' },
        content: { tasks: { tasks: [TASK] } },
        artifacts: [{ id, name: 'plan', form: 'file', path: 'specs/plan.md', hash, type: 'plan' }, { name: 'tasks' }],
        criteria: [],
      },
    });
    expect(artifactsIn(facts)[0]).toEqual({
      id,
      type: 'plan',
      name: 'plan',
      producer: 'make_agent',
      phase: 'make',
      path: 'specs/plan.md',
      hash,
      bytes: 7,
      dependencies: ['earlier/one'],
      metadata: {
        agentType: 'planning',
        workspace: 'main',
        change: 'created',
        tree: expect.stringMatching(/^[0-9a-f]+$/),
        made: { run, how: 'work', task: 't2', toolCall: 's1-1' },
      },
    });
    expect(facts.flatMap((fact) => (fact.kind === 'bus.sent' ? [fact.message] : [])).at(-1)).toEqual({
      id: `${run}/t3/1`,
      type: 'result',
      sender: 'make_agent',
      receiver: 'orchestrator',
      payload: { status: 'success', artifacts: ['specs/plan.md', 'specs/tasks.json'], criteria: [] },
      correlationId: `${run}/make`,
    });
  });

  test('data that was there before counts, and is reported as unchanged', async () => {
    const { answers, facts } = await phase([], [DATA], { files: { 'data.json': '[1]' } });
    expect(answers[1]).toMatchObject({ outcome: 'ok', output: { content: { data: [1] } } });
    expect(artifactsIn(facts)[0]?.metadata).toMatchObject({ change: 'unchanged' });
  });

  test('[L4] a report of another time is not taken for this one, unless it was written or handed in again', async () => {
    const old = { files: { 'out/report.json': '{"tests_failed": 0}' } };
    const stale = await phase([], [REPORT], old);
    expect(stale.answers[1]?.failure).toMatchObject({
      code: 'OUTPUT_MISSING',
      message: expect.stringContaining('out/report.json is as it was before the phase began'),
    });
    const again = writes({ './out/report.json': '{"tests_failed": 0}' });
    expect((await phase([again], [REPORT], old)).answers[1]?.outcome).toBe('ok');
    expect((await phase([handed('report', ['out/report.json'])], [REPORT], old)).answers[1]?.outcome).toBe('ok');
    const before = await askPrograms([begins('make'), again, begins('make'), collects('make', [REPORT])], old);
    expect(before.answers[2]?.failure?.code).toBe('OUTPUT_MISSING');
  });

  test('a file of an earlier phase that this one did not change keeps its maker', async () => {
    const { facts, run } = await askPrograms([
      begins('one'),
      writes({ 'data.json': '{}' }),
      begins('two'),
      collects('two', [DATA]),
    ]);
    expect(artifactsIn(facts)[0]?.metadata).toMatchObject({
      change: 'unchanged',
      made: { run, task: 't2', toolCall: 's1-1', how: 'work' },
    });
  });

  test('declarations from before the phase began again do not count', async () => {
    const { answers } = await phase(
      [writes({ 'a.ts': '1' }), handed('artifacts', ['a.ts']), begins('make'), writes({ 'b.ts': '2' })],
      [CHANGED],
    );
    expect(answers[2]?.output).toMatchObject({ output: { artifacts: ['b.ts'] } });
  });

  test('patterns take what fits and all in folders that fit; two of one name are one list without doubles', async () => {
    const { answers } = await phase(
      [writes({ 'pages/a.ts': '1', 'pages/deep/b.ts': '2', 'api/c.py': '3', 'other/d.py': '4' })],
      [files('pages/*'), files('api/*.py'), files('**/*.py', 'python'), files('api'), files('api/c.py', 'one')],
    );
    expect(answers[1]?.output).toMatchObject({
      output: {
        artifacts: ['pages/a.ts', 'pages/deep/b.ts', 'api/c.py'],
        python: ['api/c.py', 'other/d.py'],
        one: ['api/c.py'],
      },
    });
  });

  test('changed files are those that differ from the beginning of the phase, without deleted ones', async () => {
    const { answers, facts } = await phase(
      [writes({ 'src/a.ts': 'new', 'src/c.ts': 'made' }), { meddle: (folder) => rmSync(join(folder, 'src/b.ts')) }],
      [CHANGED],
      { files: { 'src/a.ts': 'old', 'src/b.ts': 'b', 'src/same.ts': 's' } },
    );
    expect(answers[1]?.output).toMatchObject({ output: { artifacts: ['src/a.ts', 'src/c.ts'] } });
    expect(artifactsIn(facts).map(({ metadata }) => metadata['change'])).toEqual(['modified', 'created']);
  });

  test('a file of one output is not among the other changed files, unless it was declared', async () => {
    const made = writes({ 'src/a.ts': 'new', 'out/report.json': '{}' });
    const { answers } = await phase([made], [CHANGED, REPORT]);
    expect(answers[1]?.output).toMatchObject({ output: { artifacts: ['src/a.ts'], report: 'out/report.json' } });
    const declared = await phase([made, handed('artifacts', ['out/report.json'])], [CHANGED, REPORT]);
    expect(declared.answers[1]?.output).toMatchObject({ output: { artifacts: ['out/report.json'] } });
  });

  test('nothing changed and nothing declared is an empty list', async () => {
    expect((await phase([], [CHANGED])).answers[1]).toMatchObject({
      outcome: 'ok',
      output: { output: { artifacts: [] } },
    });
  });

  test('only declared files of the changed ones are taken', async () => {
    const { answers } = await phase(
      [
        writes({ 'a.ts': '1', 'b.ts': '2', 'lib/c.ts': '3' }),
        handed('artifacts', ['old.ts']),
        handed('artifacts', ['./a.ts', 'lib/']),
      ],
      [CHANGED],
    );
    expect(answers[1]?.output).toMatchObject({ output: { artifacts: ['a.ts', 'lib/c.ts'] } });
  });

  test('[L6] collected twice it is the same', async () => {
    const again = collects('make', [PLAN]);
    const { facts } = await phase([writes({ 'specs/plan.md': 'x' }), again], [PLAN]);
    const [one, other] = artifactsIn(facts);
    expect(one?.id).toBe(other?.id);
  });

  test('an ignored file is no match of a pattern; named by its path it is there', async () => {
    const ignored = { isGit: true, files: { '.gitignore': 'out/\n' } } as const;
    const made = writes({ 'out/report.json': '{}' });
    const named = await phase([made], [REPORT], ignored);
    expect(named.answers[1]?.outcome).toBe('ok');
    expect(artifactsIn(named.facts)[0]?.metadata).not.toHaveProperty('tree');
    const pattern = await phase([made], [files('out/*')], ignored);
    expect(pattern.answers[1]?.failure?.code).toBe('OUTPUT_MISSING');
  });
});

describe('[PH4] outputs that are missing', () => {
  test('fail the phase with the whole list, as text for the agent, and nothing is recorded', async () => {
    const { answers, facts } = await phase(
      [writes({ 'a.txt': '' })],
      [PLAN, files('api/*'), REPORT, files('a.txt', 'ok')],
    );
    expect(answers[1]).toMatchObject({
      outcome: 'failed',
      failure: {
        code: 'OUTPUT_MISSING',
        message:
          'Phase "make" did not deliver what it owes. plan: specs/plan.md does not exist. artifacts: No file fits api/*. report: out/report.json does not exist.',
      },
      output: {
        missing: [
          { name: 'plan', path: 'specs/plan.md', why: 'specs/plan.md does not exist.' },
          { name: 'artifacts', path: 'api/*', why: 'No file fits api/*.' },
          { name: 'report', path: 'out/report.json' },
        ],
        text: expect.stringContaining('- plan: specs/plan.md does not exist.\n'),
      },
    });
    expect(artifactsIn(facts)).toEqual([]);
  });

  test('an empty plan and a folder are none', async () => {
    const { answers } = await phase([writes({ 'specs/plan.md': ' \n', 'out/report.json/x': '' })], [PLAN, REPORT]);
    expect(answers[1]?.failure?.message).toContain('plan: specs/plan.md is empty.');
    expect(answers[1]?.failure?.message).toContain('report: out/report.json is a folder.');
  });

  test('a declared but unchanged file is reported', async () => {
    const options = { files: { 'same.ts': '1', 'gone.ts': '2' } };
    const deletes: BenchStep = { meddle: (folder) => rmSync(join(folder, 'gone.ts')) };
    const bad = await phase([deletes, handed('artifacts', ['same.ts', 'never.ts', 'gone.ts'])], [CHANGED], options);
    expect(bad.answers[1]?.output).toMatchObject({ missing: [{ path: 'same.ts' }, { path: 'never.ts' }] });
    const fine = await phase([deletes, handed('artifacts', ['gone.ts'])], [CHANGED], options);
    expect(fine.answers[1]).toMatchObject({ outcome: 'ok', output: { output: { artifacts: [] } } });
  });

  test('a workspace that is merged cannot deliver ignored files', async () => {
    const { answers } = await askPrograms(
      [begins('make', {}, 'maker'), writes({ 'out/report.json': '{}' }), collects('make', [REPORT], {}, 'maker')],
      { isGit: true, files: { '.gitignore': 'out/\n' }, workspaces: { maker: 'own' } },
    );
    expect(answers[1]?.failure).toMatchObject({
      code: 'OUTPUT_MISSING',
      message: expect.stringContaining('ignore rules'),
    });
  });

  test('more than a thousand files are not taken', async () => {
    const fill = (folder: string): void => {
      mkdirSync(join(folder, 'many'));
      for (let at = 0; at <= 1000; at += 1) writeFileSync(join(folder, `many/${at}`), '');
    };
    expect((await phase([{ meddle: fill }], [CHANGED])).answers[1]?.failure?.code).toBe('OUTPUT_TOO_MANY');
  });
});

describe('[PH4] outputs outside', () => {
  test.for([
    '../plan.md',
    '/etc/passwd',
    '~/plan.md',
    'a/../../b',
    '.git/config',
    '.troupe/config.yaml',
    'out/plan.md',
    'link.md',
  ])('%s', async (path) => {
    const link = (folder: string): void => {
      symlinkSync('/etc', join(folder, 'out'));
      symlinkSync('/etc/hostname', join(folder, 'link.md'));
    };
    const { answers } = await phase([{ meddle: link }], [{ ...PLAN, path }]);
    expect(answers[1]?.failure?.code).toBe('OUTPUT_OUTSIDE');
  });

  test('by a pattern, or declared', async () => {
    expect((await phase([], [files('../*')])).answers[1]?.failure?.code).toBe('OUTPUT_OUTSIDE');
    const { answers } = await phase([handed('artifacts', ['/etc/passwd'])], [CHANGED]);
    expect(answers[1]?.failure?.code).toBe('OUTPUT_OUTSIDE');
  });

  test('a link that stays inside is no file either', async () => {
    const link = (folder: string): void => symlinkSync('real.md', join(folder, 'link.md'));
    const { answers } = await phase([writes({ 'real.md': 'x' }), { meddle: link }], [{ ...PLAN, path: 'link.md' }]);
    expect(answers[1]?.failure?.code).toBe('OUTPUT_MISSING');
  });
});

describe('[PH4] what reports and plans say', () => {
  test('a report must be JSON, and the place is reported', async () => {
    const { answers } = await phase([writes({ 'out/report.json': '{\n  "tests_failed": 2\n  "x": 1\n}' })], [REPORT]);
    expect(answers[1]?.failure).toMatchObject({ code: 'REPORT_INVALID' });
    expect(answers[1]?.failure?.message).toMatch(/out\/report\.json:3:3: /);
  });

  test.for([
    ['words', 'All good.'],
    ['nothing', ''],
    ['a key twice is JSON', '{"a": 1, "a": 2}'],
    ['a byte order mark is left out', '\uFEFF{"a": 1}'],
    ['a key that no value may have', '{"__proto__": 1}'],
  ] as const)('%s', async ([what, text]) => {
    const { answers } = await phase([writes({ 'out/report.json': text })], [REPORT]);
    const isFine = what.includes('is JSON') || what.includes('left out');
    expect(answers[1]?.failure?.code).toBe(isFine ? undefined : 'REPORT_INVALID');
  });

  test('bytes that are no text, and more than is read', async () => {
    const bytes = (folder: string): void => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out/report.json'), Buffer.from([0x22, 0xff, 0x22]));
      writeFileSync(join(folder, 'out/large.json'), JSON.stringify('x'.repeat(300_000)));
    };
    const large = { ...REPORT, name: 'large', path: 'out/large.json' };
    const { answers } = await phase([{ meddle: bytes }], [REPORT, large]);
    expect(answers[1]?.failure?.message).toMatch(/report\.json is not UTF-8 text\..*large\.json has 300002 bytes/);
  });

  test('data that cannot be parsed is still data', async () => {
    const data = { name: 'data', form: 'file', path: 'tsconfig.json', type: 'data' } as const;
    const { answers } = await phase([writes({ 'tsconfig.json': '{ /* words */ }' })], [data]);
    expect(answers[1]).toMatchObject({ outcome: 'ok', output: { content: {} } });
  });

  test('an invalid plan is reported place by place', async () => {
    const tasks = [
      TASK,
      { id: 1, description: '', files: 'a.ts', risk: 'huge' },
      { ...TASK, id: 2, files: ['../x'] },
      7,
    ];
    const { answers } = await phase([writes({ 'specs/tasks.json': JSON.stringify(tasks) })], [TASKS]);
    expect(answers[1]?.failure?.code).toBe('PLAN_INVALID');
    for (const place of ['[1].description', '[1].files', '[1].risk', '[3]']) {
      expect(answers[1]?.failure?.message).toContain(`(${place})`);
    }
  });
});

test('[PH4] an earlier artifact that the phase changed without owing it has a new version, so that no later phase misses it', async () => {
  const { facts, answers } = await askPrograms([
    begins('one'),
    writes({ 'a.ts': '1', 'b.ts': '1' }),
    collects('one', [CHANGED]),
    begins('two'),
    writes({ 'a.ts': '2', 'notes.md': 'x' }),
    collects('two', [{ ...PLAN, path: 'notes.md' }]),
  ]);
  expect(answers[3]?.output).toMatchObject({ output: { plan: 'notes.md' }, artifacts: [{ path: 'notes.md' }] });
  const last = artifactsIn(facts).at(-1);
  expect(last).toMatchObject({
    path: 'a.ts',
    name: 'artifacts',
    phase: 'two',
    producer: 'two_agent',
    hash: sha256('2'),
  });
  expect(last?.metadata).toMatchObject({ isUndeclared: true });
  expect(last?.dependencies).toEqual([artifactsIn(facts)[0]?.id]);
});

test('[L6] after a crash at any write, a phase has begun once, is collected once and reports the same', async () => {
  const steps = [
    begins('make', { inputs: { request: 'x' } }),
    writes({ 'specs/plan.md': '# Plan', 'a.ts': '1' }),
    collects('make', [PLAN, CHANGED]),
  ];
  const reportOf = ({ facts, answers }: Benched): unknown => ({
    answers,
    notes: facts.filter(({ kind }) => kind === 'artifact.recorded' || kind === 'bus.sent'),
  });
  const whole = await askPrograms(steps);
  expect(whole.writes).toBeGreaterThan(5);
  for (let diesAfter = 1; diesAfter < whole.writes; diesAfter += 1) {
    const resumed = await askPrograms(steps, { diesAfter });
    expect({ diesAfter, ...Object(reportOf(resumed)) }).toEqual({ diesAfter, ...Object(reportOf(whole)) });
  }
});

test('an invalid input of a program is a fault with the place', async () => {
  const { answers } = await askPrograms([{ ask: 'step.collect', input: '{phase: 1}' }]);
  expect(answers[0]?.failure).toMatchObject({ code: 'PROGRAM_INPUT', message: expect.stringContaining('phase: ') });
});
