import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../core/record/fact.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { askPrograms, begins, collects, workflowOf, type BenchStep } from './testing/program-bench.ts';
import { testShell } from './testing/test-shell.ts';

const shell = testShell();

const PLAN = { name: 'plan', form: 'file', path: 'plan.md', type: 'plan' } as const;
const CHANGED = { name: 'artifacts', form: 'changed', path: null, type: 'code' } as const;

/** A named output of a phase, as the next one needs it. */
const needOf = (phase: string, name: string, form: string): JsonObject => ({
  phase,
  name,
  form,
  artifacts: `$common_data.${phase}d.artifacts`,
});

const writes = (by: string, content: Readonly<Record<string, string>>): BenchStep => ({ by, writes: content });
const overwrite = (path: string, text: string): BenchStep => ({
  meddle: (folder) => writeFileSync(join(folder, path), text),
});
const remove = (path: string): BenchStep => ({ meddle: (folder) => rmSync(join(folder, path)) });
const removes = (by: string, path: string): BenchStep => ({
  by,
  uses: [{ name: 'execute_terminal', input: { command: `rm ${path}` } }],
});

/** Planning delivers plan.md, something happens, execution begins and needs it. */
const planned = async (between: readonly BenchStep[]) =>
  await askPrograms([
    begins('planning'),
    writes('planner', { 'plan.md': '# Plan\n' }),
    collects('planning', [PLAN], { agent: 'planner' }),
    ...between,
    begins('execution', {
      needs: [needOf('planning', 'plan', 'file')],
      inputs: { plan: 'plan.md', user_request: 'Add a login' },
      handoff: {
        from: ['planner'],
        context: { priority: 'high' },
        instructions: 'Do it.',
        successCriteria: ['Tests pass'],
      },
    }),
  ]);

describe('[PH5] a phase begins', () => {
  test('with a handoff, a command and its inputs as text, all with ids that are the same on every replay', async () => {
    const { run, answers, facts } = await planned([]);
    const output = answers[2]?.output as JsonObject;
    expect(output).toEqual({
      since: expect.stringMatching(/^[0-9a-f]+$/),
      writes: true,
      inputs: { plan: 'plan.md', user_request: 'Add a login' },
      text: 'plan: plan.md (7 bytes)\n``` plan.md\n# Plan\n```\nuser_request: Add a login',
    });
    const hash = createHash('sha256').update('# Plan\n').digest('hex').slice(0, 12);
    expect(notesIn(facts).slice(-2)).toEqual([
      {
        id: `${run}/t4/1`,
        from: 'planner',
        to: 'execution_agent',
        artifacts: ['plan.md'],
        ids: [`${run}/plan/plan.md@${hash}`],
        context: { priority: 'high' },
        instructions: 'Do it.',
        successCriteria: ['Tests pass'],
        correlationId: `${run}/execution`,
      },
      {
        id: `${run}/t4/2`,
        type: 'command',
        sender: 'orchestrator',
        receiver: 'execution_agent',
        payload: { action: 'execution', input: { plan: 'plan.md', user_request: 'Add a login' } },
        correlationId: `${run}/execution`,
      },
    ]);
  });

  test('an agent hands over its own artifacts', async () => {
    const { facts } = await askPrograms([
      begins('one'),
      writes('one', { 'a.ts': '1' }),
      collects('one', [CHANGED]),
      begins('two'),
      writes('two', { 'b.ts': '2' }),
      collects('two', [CHANGED]),
      begins('three', {
        needs: [needOf('one', 'artifacts', 'changed'), needOf('two', 'artifacts', 'changed')],
        handoff: { from: ['one_agent', 'two_agent', 'one_agent'], context: {}, instructions: '', successCriteria: [] },
      }),
    ]);
    const handoffs = facts.flatMap((fact) => (fact.kind === 'handoff.made' ? [fact.handoff] : []));
    expect(handoffs.map(({ from, artifacts }) => [from, artifacts])).toEqual([
      ['one_agent', ['a.ts']],
      ['two_agent', ['b.ts']],
    ]);
  });
});

describe('[PH4] one file that a phase needs', () => {
  test('changed from outside the run is refused, with who recorded it and what to do', async () => {
    const { answers, facts } = await planned([overwrite('plan.md', '# Other\n')]);
    expect(answers[2]).toMatchObject({
      outcome: 'failed',
      failure: {
        code: 'ARTIFACT_CHANGED',
        message:
          'plan.md is not what phase "planning" of planner recorded as "plan": it was changed from outside the run.',
        hint: expect.stringContaining('let "planning" run again'),
      },
    });
    expect(notesIn(facts)).toHaveLength(2);
  });

  test('changed by another agent is refused too, and the task is named', async () => {
    const { run, answers } = await planned([writes('other', { 'plan.md': '# Other\n' })]);
    expect(answers[2]?.failure).toMatchObject({
      code: 'ARTIFACT_CHANGED',
      message: expect.stringContaining(`it was changed in task t4 of ${run}.`),
    });
  });

  test('a new version of it differs', async () => {
    const again = [begins('planning'), writes('planner', { 'plan.md': '# New\n' })];
    const { answers } = await planned([...again, { ...collects('planning', [PLAN]), as: 'newer' }]);
    expect(answers[4]?.failure?.code).toBe('ARTIFACT_CHANGED');
  });

  test('deleted is missing', async () => {
    const { answers } = await planned([remove('plan.md')]);
    expect(answers[2]?.failure).toMatchObject({
      code: 'ARTIFACT_MISSING',
      message: expect.stringContaining('plan.md does not exist.'),
    });
  });
});

describe('[PH4] a list of files that a phase needs', () => {
  /** Execution changes three files, something happens, verification needs them. */
  const executed = async (between: readonly BenchStep[], options = {}) =>
    await askPrograms(
      [
        begins('execution'),
        writes('coder', { 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' }),
        collects('execution', [CHANGED]),
        ...between,
        begins('verification', {
          needs: [needOf('execution', 'artifacts', 'changed')],
          inputs: {
            artifacts: '$common_data.executiond.output.artifacts',
            all: { nested: ['b.ts', 'x'] },
            one: 'b.ts',
          },
        }),
      ],
      options,
    );
  const fix = (...did: readonly BenchStep[]): readonly BenchStep[] => [
    begins('fix'),
    ...did,
    collects('fix', [CHANGED]),
  ];

  test('is the last recorded version of each path', async () => {
    const { answers } = await executed(fix(writes('fixer', { 'b.ts': '2' })));
    expect(answers.at(-1)).toMatchObject({
      outcome: 'ok',
      output: { inputs: { artifacts: ['a.ts', 'b.ts', 'c.ts'] } },
    });
  });

  test('without paths that a later phase deleted', async () => {
    const { answers } = await executed(fix(removes('fixer', 'b.ts')), { world: shell });
    expect(answers.at(-1)?.output).toMatchObject({
      inputs: { artifacts: ['a.ts', 'c.ts'], all: { nested: ['x'] }, one: 'b.ts' },
    });
  });

  test('restored to an older version from outside the run is refused', async () => {
    const { answers } = await executed([...fix(writes('fixer', { 'b.ts': '2' })), overwrite('b.ts', '1')]);
    expect(answers.at(-1)?.failure?.code).toBe('ARTIFACT_CHANGED');
  });

  test('all mistakes are reported at once', async () => {
    const { answers } = await executed([overwrite('a.ts', '9'), remove('b.ts')]);
    expect(answers.at(-1)?.failure).toMatchObject({
      code: 'ARTIFACT_CHANGED',
      message: expect.stringMatching(
        /^a\.ts is not what .* b\.ts is not what .* It was removed from outside the run\.$/,
      ),
    });
  });

  test('changed by two side by side is what their versions became together', async () => {
    const lines = (first: string, last: string): string => `${first}\n2\n3\n4\n5\n6\n7\n8\n${last}\n`;
    const own = (who: string, content: string): readonly BenchStep[] => [
      begins(who, {}, who),
      writes(who, { 'a.ts': content }),
      collects(who, [CHANGED], {}, who),
    ];
    const { answers, facts } = await askPrograms(
      [
        ...own('ann', lines('ann', '9')),
        ...own('bob', lines('1', 'bob')),
        { work: { kind: 'merge', agent: 'ann' } },
        { work: { kind: 'merge', agent: 'bob' } },
        begins('both', { needs: [needOf('ann', 'artifacts', 'changed'), needOf('bob', 'artifacts', 'changed')] }),
        overwrite('a.ts', 'other'),
        begins('later', { needs: [needOf('ann', 'artifacts', 'changed')] }),
      ],
      { files: { 'a.ts': lines('1', '9') }, workspaces: { ann: 'own', bob: 'own' } },
    );
    expect(facts.filter((fact) => fact.kind === 'files.changed' && fact.why === 'merge')).not.toEqual([]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'failed']);
  });
});

test('[PH4] artifacts of a phase in its own run are known to all runs of the tree', async () => {
  const child = workflowOf(
    [begins('planning'), collects('planning', [{ ...PLAN, type: 'data' }], { agent: 'planner' })],
    'planningd',
  );
  const { answers, facts } = await askPrograms(
    [
      { work: { kind: 'call', workflow: 'planning', input: {} } },
      begins('execution', {
        needs: '$[{phase: "planning", name: "plan", form: "file", artifacts: this.sub_workflow_result.artifacts}]',
        handoff: { from: ['planner', 'other'], context: {}, instructions: '', successCriteria: [] },
      }),
    ],
    { library: { planning: { ...child, name: 'planning' } }, files: { 'plan.md': 'x' } },
  );
  expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  const handoffs = facts.flatMap((fact) => (fact.kind === 'handoff.made' ? [fact.handoff] : []));
  expect(handoffs.map(({ from, artifacts }) => [from, artifacts])).toEqual([
    ['planner', ['plan.md']],
    ['other', []],
  ]);
});

describe('[PH2] the text of the inputs', () => {
  const textOf = async (inputs: JsonObject, files: Readonly<Record<string, string | Uint8Array>> = {}) => {
    const { answers } = await askPrograms([begins('one', { inputs })], { files });
    return String(Reflect.get(Object(answers[0]?.output), 'text'));
  };

  test('values of every kind', async () => {
    const text = await textOf({
      request: 'one\ntwo',
      count: 3,
      flags: [true],
      list: ['a', 'b'],
      none: null,
      map: { a: 1 },
    });
    expect(text).toBe('request: \none\ntwo\ncount: 3\nflags: [true]\nlist:\n- a\n- b\nnone: null\nmap: {"a":1}');
  });

  test('files are shown whole, also in lists; large ones, folders and binary files by name alone', async () => {
    const text = await textOf(
      { spec: 'spec.md', all: ['src/a.ts', 'src', 'big.txt', 'pic.png'], big: 'big.txt', out: '../x' },
      {
        'spec.md': '```ts\nx\n```\n',
        'src/a.ts': 'a',
        'big.txt': 'b'.repeat(16 * 1024 + 1),
        'pic.png': Buffer.from([0, 255]),
      },
    );
    expect(text).toBe(
      [
        'spec: spec.md (12 bytes)',
        '```` spec.md',
        '```ts\nx\n```',
        '````',
        'all:',
        '- src/a.ts (1 bytes)',
        '- src',
        '- big.txt (16385 bytes)',
        '- pic.png (2 bytes)',
        '``` src/a.ts',
        'a',
        '```',
        'big: big.txt (16385 bytes)',
        'out: ../x',
      ].join('\n'),
    );
  });

  test('no more than 60 KB in all: files that have no room are named, values are cut and it is said', async () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`f${at}.txt`, `${at}`.repeat(15 * 1024)]));
    const text = await textOf({ all: Object.keys(files), last: 'word' }, files);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60 * 1024);
    expect(text).toContain('``` f3.txt');
    expect(text).not.toContain('``` f5.txt');
    expect(text).toContain('- f5.txt (15360 bytes)');
    expect(text.endsWith('last: word')).toBe(true);
    const long = await textOf({ request: 'ä'.repeat(60_000) });
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(60 * 1024);
    expect(long).toMatch(/ä\n\[… \d+ more bytes were left out\]$/);
  });
});

const notesIn = (facts: readonly Fact[]): readonly unknown[] =>
  facts.flatMap((fact): unknown[] => {
    if (fact.kind === 'bus.sent') return [fact.message];
    return fact.kind === 'handoff.made' ? [fact.handoff] : [];
  });
