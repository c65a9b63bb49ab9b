import { describe, expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { document, hands, inTurn, PhasesBench, writes, type Asked } from './phases-bench.ts';

describe("the document's parallel feature, unchanged", () => {
  const SPECS = {
    'specs/frontend_spec.md': 'A page\n',
    'specs/backend_spec.md': 'A route\n',
    'specs/test_spec.md': 'A test\n',
  };

  const made: Readonly<Record<string, readonly string[]>> = {
    frontend: ['components/a.ts', 'pages/b.ts'],
    backend: ['api/c.ts', 'models/d.ts'],
    tests: ['tests/e.ts'],
  };

  function plot(asked: Asked): CallReply | null {
    if (asked.phase === 'aggregation') return inTurn(asked, [hands('integration_report', '# All of it\n')]);
    return inTurn(
      asked,
      (made[asked.phase] ?? []).map((path) => writes(path, `by ${asked.phase}\n`)),
    );
  }

  test('[PH1] [PH2] three agents at once in separate workspaces, then one that sees all of it', async () => {
    // None of them is answered before all have begun.
    const waiting = new Set(Object.keys(made));
    const all = Promise.withResolvers<void>();
    const bench = new PhasesBench(async (asked) => {
      waiting.delete(asked.phase);
      if (waiting.size === 0) all.resolve();
      await all.promise;
      return plot(asked);
    }, SPECS);
    const rest = await bench.start(document('parallel_feature'));
    expect(rest).toMatchObject({ outcome: 'ok' });
    const last = bench.asked.find(({ phase }) => phase === 'aggregation')?.text ?? '';
    for (const path of Object.values(made).flat()) {
      expect(bench.file(path)).toMatch(/^by /);
      expect(last).toContain(path);
    }
    expect(bench.asked.find(({ phase }) => phase === 'backend')?.text).toContain('A route');
  });

  test('[PH4] a pattern that nothing matches is missing', async () => {
    const bench = new PhasesBench((asked) => (asked.phase === 'tests' ? says('done') : plot(asked)), SPECS);
    const rest = await bench.start(document('parallel_feature'));
    expect(rest).toMatchObject({
      outcome: 'failed',
      output: { phases: { tests: { outcome: 'failed' }, aggregation: { outcome: 'skipped' } } },
    });
    expect(rest.failure?.message).toContain('tests/*');
  });

  test('[Q9] [PH2] two phases that change the same line: the second settles it in its own files', async () => {
    const file = 'name: both\nphases:\n  - { id: a, agent_type: execution }\n  - { id: b, agent_type: execution }\n';
    const bench = new PhasesBench(
      (asked) =>
        asked.call > 1
          ? null
          : writes('notes.txt', asked.turn === 1 ? `one\nby ${asked.phase}\n` : 'one\nby a and b\n'),
      { 'notes.txt': 'one\ntwo\n' },
    );
    const rest = await bench.start(file);
    expect(rest.outcome).toBe('ok');
    expect(bench.file('notes.txt')).toBe('one\nby a and b\n');
    expect(bench.asked.some(({ text }) => text.includes('keep what both sides intended'))).toBe(true);
  });
});

describe("the document's simple task, unchanged", () => {
  const HELPERS = { 'utils/helpers.py': 'def calculate_total(items):\n    return sum(items)\n' };
  const documented = 'def calculate_total(items):\n    """The sum."""\n    return sum(items)\n';
  const TASKS = JSON.stringify([{ id: 1, description: 'Add it', files: ['utils/helpers.py'], risk: 'low' }]);

  function plot(asked: Asked): CallReply | null {
    switch (asked.phase) {
      case 'planning':
        return inTurn(asked, [hands('plan', '# Plan\n'), hands('tasks', TASKS)]);
      case 'execution':
        return inTurn(asked, [writes('utils/helpers.py', documented)]);
      case 'verification':
        return inTurn(asked, [hands('report', '{"tests_failed": 0}')]);
      default:
        return null;
    }
  }

  test('[PH2] one file that is there, one function that is found once: one agent, no plan', async () => {
    const bench = new PhasesBench(plot, HELPERS);
    const rest = await bench.start(document('simple_task'));
    expect(rest).toMatchObject({ outcome: 'ok', output: { way: { isSimple: true } } });
    expect(bench.asked.map(({ phase }) => phase)).toEqual(['execution', 'execution']);
    expect(bench.asked[0]?.text).toContain('add_docstring');
    expect(bench.file('utils/helpers.py')).toBe(documented);
  });

  test.each([
    ['the file is not there', {}],
    [
      'the function is there twice',
      { 'utils/helpers.py': `${HELPERS['utils/helpers.py']}\n${HELPERS['utils/helpers.py']}` },
    ],
    ['the function is not there', { 'utils/helpers.py': 'x = 1\n' }],
  ])('[PH2] where %s the whole way is gone', async (_why, files) => {
    const bench = new PhasesBench(plot, files);
    const rest = await bench.start(document('simple_task'));
    expect(rest).toMatchObject({ outcome: 'ok', output: { way: { isSimple: false } } });
    expect([...new Set(bench.asked.map(({ phase }) => phase))]).toEqual(['planning', 'execution', 'verification']);
  });
});

describe("the document's files with one agent, as they stand there", () => {
  test('[PH2] planning: the tasks are written out, the plan is owed', async () => {
    const bench = new PhasesBench((asked) => inTurn(asked, [hands('plan', '# Users\n')]));
    expect(await bench.start(document('planning'))).toMatchObject({ outcome: 'ok' });
    expect(bench.file('specs/auth_plan.md')).toBe('# Users\n');
    expect(bench.asked[0]?.text).toContain('Implement JWT middleware');
  });

  test('[PH2] execution: a plan and the number of a task go in, files come out', async () => {
    const bench = new PhasesBench(
      (asked) => inTurn(asked, [writes('models/user.py', 'x\n'), writes('tests/test_user.py', 'y\n')]),
      { 'specs/auth_plan.md': '# Users first\n' },
    );
    expect(await bench.start(document('execution'))).toMatchObject({
      outcome: 'ok',
      output: { phases: { execution: { output: { artifacts: ['models/user.py', 'tests/test_user.py'] } } } },
    });
    expect(bench.asked[0]?.text).toContain('# Users first');
    expect(bench.asked[0]?.text).toContain('task_id: 1');
  });

  test('[PH2] verification: the fields of the report are known, the report is a file', async () => {
    const bench = new PhasesBench(
      (asked) =>
        inTurn(asked, [hands('walkthrough', '# Seen\n'), hands('report', '{"tests_failed": 2, "coverage": "87%"}')]),
      { 'specs/auth_plan.md': '# Users\n', 'models/user.py': 'x\n', 'middleware/auth.py': 'y\n' },
    );
    expect(await bench.start(document('verification'))).toMatchObject({ outcome: 'ok' });
    expect(bench.asked[0]?.text).toContain('tests_passed');
  });

  test('[PH2] fix: an error with its file and line', async () => {
    const bench = new PhasesBench((asked) => inTurn(asked, [writes('models/user.py', 'mended\n')]), {
      'models/user.py': 'broken\n',
    });
    expect(await bench.start(document('fix'))).toMatchObject({ outcome: 'ok' });
    expect(bench.asked[0]?.text).toContain('User.email is None');
    expect(bench.asked[0]?.text).toContain('line: 45');
  });
});

describe('errors', () => {
  test('[PH6] a phase that runs out of time is stopped and started again', async () => {
    const bench = new PhasesBench((asked) => (asked.turn === 1 ? null : says('done')));
    bench.stallFirst = true;
    const rest = await bench.start('name: slow\nphases:\n  - { id: a, agent_type: research, timeout: 0.3 }\n');
    expect(rest.outcome).toBe('ok');
    expect((await bench.ofKind('task.ended')).some(({ outcome }) => outcome === 'timeout')).toBe(true);
  });

  test('[PH6] how often is set by the file; after that it has failed with its code', async () => {
    const bench = new PhasesBench(() => null);
    bench.stallFirst = true;
    const rest = await bench.start(
      'name: slow\nerrors: { timeout_retries: 0 }\nphases:\n  - { id: a, agent_type: research, timeout: 0.3 }\n',
    );
    expect(rest).toMatchObject({ outcome: 'failed', output: { phases: { a: { outcome: 'timeout' } } } });
    const errors = (await bench.ofKind('bus.sent')).filter(({ message }) => message.type === 'error');
    expect(errors).toMatchObject([{ message: { sender: 'a', payload: { error_type: 'TIMEOUT' } } }]);
  });

  test('[ST5] when an agent fails the next type takes over', async () => {
    const bench = new PhasesBench((asked) =>
      asked.phase === 'a'
        ? { kind: 'failed', failure: { code: 'REQUEST_REFUSED', message: 'gone', class: 'bad-request' } }
        : inTurn(asked, [writes('x.txt', 'by the other\n')]),
    );
    const rest = await bench.start('name: f\nphases:\n  - { id: a, agent_type: research, fallback: [execution] }\n');
    expect(rest.outcome).toBe('ok');
    expect(bench.file('x.txt')).toBe('by the other\n');
  });
});

test('[PH1] templates are whole expressions, also over lists and the content of JSON files', async () => {
  const tasks = JSON.stringify([
    { id: 'one', description: 'First', files: [], risk: 'low' },
    { id: 'two', description: 'Second', files: [], risk: 'high' },
  ]);
  const bench = new PhasesBench((asked) => (asked.phase === 'plan' ? inTurn(asked, [hands('tasks', tasks)]) : null));
  const rest = await bench.start(
    `name: t
inputs: { who: For whom }
phases:
  - { id: plan, agent_type: planning, output: { tasks: 'specs/\${who.toLowerCase()}.json' } }
  - id: look
    agent_type: research
    depends_on: [plan]
    condition: plan.output.tasks.length === 2
    input:
      risky: '\${plan.output.tasks.filter((task) => task.risk === "high").map((task) => task.id)}'
      words: 'First \${plan.output.tasks[0].id}, in \${plan.output.tasks}'
      path: '\${plan.output.tasks}'
`,
    { who: 'ANN' },
  );
  expect(rest.outcome).toBe('ok');
  const text = bench.asked.find(({ phase }) => phase === 'look')?.text ?? '';
  expect(text).toContain('risky:\n- two\n');
  expect(text).toContain('First one, in specs/ann.json');
  expect(text).toContain('path: specs/ann.json');
});

test('[PH1] an input that is not given has its default', async () => {
  const bench = new PhasesBench(() => null);
  const file = `name: d
inputs: { depth: { default: 3 }, d: { required: false } }
phases: [{ id: a, agent_type: research, input: { depth: '\${depth + 1}', d: '\${d ?? "none"}' } }]
`;
  await bench.start(file);
  expect(bench.asked[0]?.text).toContain('depth: 4\nd: none');
  await bench.start(file, { depth: 7, d: 'given' });
  expect(bench.asked.at(-1)?.text).toContain('depth: 8\nd: given');
});

test('[PH5] templates also stand in the context of a handoff and in criteria; a command is left to the shell', async () => {
  const bench = new PhasesBench((asked) => inTurn(asked, [writes('docs/login.md', '# Login\n')]));
  const rest = await bench.start(
    `name: c
phases:
  - { id: a, agent_type: execution, output: { doc: 'docs/\${feature_name}.md' } }
  - id: b
    agent_type: execution
    depends_on: [a]
    context: { feature: '\${feature_name}', made: ['\${a.output.doc}'] }
    success_criteria:
      - '\${feature_name} is easy to read'
      - files: ['docs/\${feature_name}.md']
      - command: 'test "\${HOME-none}" != feature_name'
`,
    { feature_name: 'login' },
  );
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(await bench.ofKind('handoff.made')).toMatchObject([
    {
      handoff: {
        context: { feature: 'login', made: ['docs/login.md'] },
        successCriteria: [
          'login is easy to read',
          'these files exist: docs/login.md',
          '`test "${HOME-none}" != feature_name` succeeds',
        ],
      },
    },
  ]);
});

test('[PH2] what a simple task names may be an input of the run', async () => {
  const bench = new PhasesBench(() => null, { 'src/a.ts': 'export function greet() {}\n' });
  const file = `name: s
workflow: simple_execution
agent: execution
inputs: [target]
input: { file: '\${target}', function: greet, action: rename }
`;
  const rest = await bench.start(file, { target: 'src/a.ts' });
  expect(rest).toMatchObject({ output: { way: { isSimple: true, file: { named: 'src/a.ts' } } } });
});
