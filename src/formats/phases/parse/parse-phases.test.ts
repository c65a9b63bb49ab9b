import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../source/read-document.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { parsePhases } from './parse-phases.ts';

function parse(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  return parsePhases(document, { file: 'w.yml', locate });
}

const problemsOf = (text: string) => {
  const result = parse(text);
  const problems = result.ok ? result.warnings : result.problems;
  return problems.map(({ code, at, message, hint }) => ({ code, line: at?.line, message, hint }));
};

function workflowsOf(text: string) {
  return valueOrFault(parse(text), 'INTERNAL');
}

const TWO = `name: two
phases:
  - id: plan
    agent_type: planning
    output: { plan: 'specs/\${feature_name}.md', tasks: tasks.json }
  - id: build
    agent_type: execution
    depends_on: [plan]
    input: { plan: '\${plan.output.plan}', first: '\${plan.output.tasks[0].id}' }
    output: { artifacts: [] }
`;

describe('[PH1] phases become a pool of child workflows', () => {
  test('[Q9] the file says whether phases with their own files learn which of them others have changed', () => {
    const apart = `name: apart
phases:
  - { id: one, agent_type: execution, output: { artifacts: [] } }
  - { id: two, agent_type: execution, output: { artifacts: [] } }
`;
    const homes = (text: string) => workflowsOf(text).flatMap(({ states }) => states['home'] ?? []);
    const merge = { work: { kind: 'merge', reportsOverlap: true } };
    expect(homes(`${apart}report_overlap: true\n`)).toMatchObject([merge, merge]);
    expect(homes(apart).map((home) => 'work' in home && 'reportsOverlap' in home.work)).toEqual([false, false]);
    expect(problemsOf(`${apart}report_overlap: often\n`)).toMatchObject([
      { line: 5, message: expect.stringContaining('true or false') },
    ]);
  });

  test('each phase is a unit that waits for those it depends on', () => {
    const [whole, plan, build] = workflowsOf(TWO);
    expect(whole?.states['phases']).toMatchObject({
      work: {
        kind: 'pool',
        units: {
          list: [
            { id: 'plan', after: [], work: { kind: 'call', workflow: 'two/plan' } },
            { id: 'build', after: ['plan'], work: { kind: 'call', workflow: 'two/build' } },
          ],
        },
      },
    });
    expect(plan?.agents).toMatchObject([{ name: 'plan', role: 'planning', at: { line: 4 } }]);
    expect(build?.states['work']).toMatchObject({ work: { kind: 'turn', agent: 'build' } });
  });

  test('phases one after the other share their files; those side by side have their own and bring them home', () => {
    const [whole] = workflowsOf(`name: side
phases:
  - { id: a, agent_type: execution }
  - { id: b, agent_type: execution }
  - { id: c, agent_type: verification, depends_on: [a, b] }
`);
    const state = whole?.states['phases'];
    const pool =
      state?.kind === 'work' && state.work.kind === 'pool' && state.work.units.kind === 'fixed'
        ? state.work.units.list
        : [];
    const spaces = pool.map(({ id, work }) => [id, work.kind === 'call' ? (work.workspace ?? 'shared') : null]);
    expect(spaces).toEqual([
      ['a', 'own'],
      ['b', 'own'],
      ['c', 'shared'],
    ]);
  });

  test('[PH2] a phase that builds on the subject of a fix loop waits for the loop', () => {
    const [whole] = workflowsOf(`name: loop
phases:
  - { id: check, agent_type: verification, output: { report: r.json } }
  - { id: fix, agent_type: fix, depends_on: [check], condition: '\${check.output.report.failed > 0}' }
  - { id: ship, agent_type: execution, depends_on: [check] }
`);
    expect(whole?.states['phases']).toMatchObject({
      work: {
        units: { list: [{ id: 'check' }, { id: 'fix', after: ['check'] }, { id: 'ship', after: ['check', 'fix'] }] },
      },
    });
  });

  test('[PH6] a run that failed puts its files back, unless its file says otherwise', () => {
    expect(workflowsOf(TWO)[0]?.onFailure).toBe('rollback');
    expect(workflowsOf(`on_failure: keep\n${TWO}`)[0]?.onFailure).toBe('keep');
  });

  test('[PH2] a request is needed wherever a template reads it', () => {
    const isNeeded = (input: string): boolean | undefined =>
      workflowsOf(`name: t\nphases: [{ id: a, agent_type: planning, input: { r: '${input}' } }]\n`)[0]?.inputs.find(
        ({ name }) => name === 'user_request',
      )?.required;
    expect(['${user_request}', '${ user_request }', '${[user_request]}'].map(isNeeded)).toEqual([true, true, true]);
    expect(['none', '${feature_name}'].map(isNeeded)).toEqual([false, false]);
  });

  test('[PH1] an input with a default need not be given', () => {
    const [whole] = workflowsOf('name: t\ninputs: { x: { default: 3 } }\nphases: [{ id: a, agent_type: planning }]\n');
    expect(whole?.inputs.at(-1)).toMatchObject({ name: 'x', required: false });
  });

  test('[PH2] the timeout of a simple task is also that of the one agent', () => {
    const all = workflowsOf('name: t\nworkflow: simple_execution\nagent: execution\ninput: {}\ntimeout: 2\n');
    expect(all.slice(1).map(({ states }) => states['work'])).toMatchObject(
      all.slice(1).map(() => ({ timeoutMs: 2000 })),
    );
  });

  test('[PH6] as many rounds and tries as the file says, also more than a state may otherwise be entered', () => {
    const [, , repair] = workflowsOf(`name: t
errors: { timeout_retries: 3 }
phases:
  - { id: a, agent_type: verification, output: { report: r.json } }
  - { id: b, agent_type: fix, depends_on: [a], condition: '\${a.output.report.n > 0}', max_iterations: 60 }
`);
    expect(repair?.limits.iterations).toBeGreaterThanOrEqual(60 * (1 + 2 + 3));
    expect(workflowsOf(TWO).map(({ limits }) => limits.iterations)).toEqual([50, 50, 50]);
  });

  test('[PH1] seconds become milliseconds', () => {
    const [, only] = workflowsOf('name: t\nphases: [{ id: a, agent_type: planning, timeout: 1.5 }]\n');
    expect(only?.states['work']).toMatchObject({ timeoutMs: 1500 });
    const [, short] = workflowsOf('name: t\nphases: [{ id: a, agent_type: planning, timeout: 0.0001 }]\n');
    expect(short?.states['work']).toMatchObject({ timeoutMs: 1 });
  });
});

describe('bad phase files', () => {
  test.each([
    [
      'a circle',
      `name: x\nphases:\n  - { id: a, agent_type: fix, depends_on: [b] }\n  - { id: b, agent_type: fix, depends_on: [a] }\n`,
      'PHASE_CYCLE',
      3,
      'a -> b -> a',
    ],
    [
      'a phase that waits for itself',
      `name: x\nphases:\n  - { id: a, agent_type: fix, depends_on: [a] }\n`,
      'PHASE_CYCLE',
      3,
      'a -> a',
    ],
    [
      'two loops that wait for each other',
      `name: x\nphases:\n  - { id: a, agent_type: fix, depends_on: [b], condition: '1 > 0', max_iterations: 2 }\n  - { id: b, agent_type: fix, depends_on: [a], condition: '1 > 0', max_iterations: 2 }\n`,
      'PHASE_CYCLE',
      3,
      'a -> b -> a',
    ],
    [
      'a loop that waits for itself',
      `name: x\nphases:\n  - { id: a, agent_type: fix, depends_on: [a], condition: '1 > 0', max_iterations: 2 }\n`,
      'PHASE_CYCLE',
      3,
      'a -> a',
    ],
    [
      'a dependency on nothing',
      `name: x\nphases:\n  - id: plan\n    agent_type: planning\n  - id: b\n    agent_type: fix\n    depends_on: [plam]\n`,
      'PHASE_UNKNOWN',
      7,
      'plam',
    ],
    [
      'an id twice',
      `name: x\nphases:\n  - { id: a, agent_type: fix }\n  - { id: a, agent_type: fix }\n`,
      'PHASE_DUPLICATE',
      4,
      '"a"',
    ],
    [
      'an unknown mode',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    mode: RESERCH\n`,
      'VALUE_INVALID',
      5,
      'must be one of PLANNING',
    ],
    [
      'a timeout of 0',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    timeout: 0\n`,
      'VALUE_INVALID',
      5,
      'above 0',
    ],
    [
      'a negative timeout',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    timeout: -3\n`,
      'VALUE_INVALID',
      5,
      'above 0',
    ],
    [
      'a template that names nothing',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { a: '\${user_requst}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'Did you mean `user_request`',
    ],
    [
      'a template without an end',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { a: 'x \${user_request' }\n`,
      'TEMPLATE_INVALID',
      5,
      'has no "}"',
    ],
    [
      'a template that is no expression',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { a: '\${1 +}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'cannot be read',
    ],
    [
      'a clock',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { a: '\${Date.now()}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'no clock',
    ],
    [
      'inner names',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { a: '\${common_data.vars}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'neither a phase nor an input',
    ],
    [
      'an undeclared output',
      `name: x\nphases:\n  - { id: a, agent_type: fix, output: { plan: p.md } }\n  - id: b\n    agent_type: fix\n    depends_on: [a]\n    input: { p: '\${a.output.plna}' }\n`,
      'OUTPUT_UNKNOWN',
      7,
      'plna',
    ],
    [
      'a phase that is not before',
      `name: x\nphases:\n  - { id: a, agent_type: fix, output: { plan: p.md } }\n  - id: b\n    agent_type: fix\n    input: { p: '\${a.output.plan}' }\n`,
      'PHASE_NOT_BEFORE',
      6,
      'does not depend on',
    ],
    [
      'a phase read without its output',
      `name: x\nphases:\n  - { id: a, agent_type: fix, output: { plan: p.md } }\n  - id: b\n    agent_type: fix\n    depends_on: [a]\n    input: { p: '\${a.plan}' }\n`,
      'TEMPLATE_INVALID',
      7,
      'a.output.NAME',
    ],
    [
      'a path that leads out',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    output: { plan: ../p.md }\n`,
      'OUTPUT_OUTSIDE',
      5,
      '../p.md',
    ],
    [
      'an absolute path',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    output: { plan: /etc/p.md }\n`,
      'OUTPUT_OUTSIDE',
      5,
      '/etc/p.md',
    ],
    [
      'a loop without a condition',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    max_iterations: 3\n`,
      'LOOP_INVALID',
      5,
      'no condition',
    ],
    [
      'an unknown key',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    depend_on: [b]\n`,
      'KEY_UNKNOWN',
      5,
      'depend_on',
    ],
    [
      'a condition of two templates, which would be words',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    condition: '\${user_request} && \${feature_name}'\n`,
      'TEMPLATE_INVALID',
      5,
      'one expression',
    ],
    [
      'a context that names nothing',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    context: { a: '\${nobody}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'neither a phase nor an input',
    ],
    [
      'a criterion that names nothing',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    success_criteria:\n      - files: ['\${nobody}.md']\n`,
      'TEMPLATE_INVALID',
      6,
      'neither a phase nor an input',
    ],
    [
      'an input that is code',
      `name: x\ninputs:\n  - 'x = (this.common_data.wanted = false), y'\nphases:\n  - { id: a, agent_type: fix }\n`,
      'INPUT_NAME_INVALID',
      3,
      'letters, digits and underscores',
    ],
    [
      'an input that no template could read',
      `name: x\ninputs:\n  target-file: A path\nphases:\n  - { id: a, agent_type: fix }\n`,
      'INPUT_NAME_INVALID',
      3,
      'target-file',
    ],
    [
      'an input that is a word of the language',
      `name: x\ninputs: [class]\nphases:\n  - { id: a, agent_type: fix }\n`,
      'INPUT_NAME_INVALID',
      2,
      'something else',
    ],
    [
      'an input that hides what the language offers',
      `name: x\ninputs: [Object]\nphases:\n  - { id: a, agent_type: fix }\n`,
      'INPUT_NAME_INVALID',
      2,
      'something else',
    ],
    [
      'an input twice',
      `name: x\ninputs: [a1, a1]\nphases:\n  - { id: a, agent_type: fix }\n`,
      'INPUT_NAME_INVALID',
      2,
      'twice',
    ],
    [
      'an input with the name of a phase',
      `name: x\ninputs: [a]\nphases:\n  - { id: a, agent_type: fix }\n`,
      'NAME_TAKEN',
      2,
      'a phase has this name',
    ],
    [
      'a parameter with the name of a phase',
      `name: x\nphases:\n  - { id: a, agent_type: fix, output: { p: p.md } }\n  - id: b\n    agent_type: fix\n    depends_on: [a]\n    input: { p: '\${[1].map((a) => a.output.p)}' }\n`,
      'TEMPLATE_INVALID',
      7,
      'call your own otherwise',
    ],
    [
      'names of the engine',
      `name: x\nphases:\n  - id: a\n    agent_type: fix\n    input: { p: '\${[($d) => 1, $d.wanted]}' }\n`,
      'TEMPLATE_INVALID',
      5,
      'name of the engine',
    ],
    ['no phases', 'name: x\nphases: []\n', 'VALUE_INVALID', 2, 'at least one phase'],
  ])('%s', (_what, text, code, line, words) => {
    const found = problemsOf(text);
    expect(found[0]).toMatchObject({ code, line });
    expect(`${found[0]?.message} ${found[0]?.hint}`).toContain(words);
  });

  test('[L3] all problems are reported at once', () => {
    const found = problemsOf(
      `name: x\nphases:\n  - { id: a, agent_type: fix, depends_on: [q], input: '\${nobody}', output: { p: ../x.md } }\n`,
    );
    expect(found.map(({ code }) => code).toSorted()).toEqual(['OUTPUT_OUTSIDE', 'PHASE_UNKNOWN', 'TEMPLATE_INVALID']);
  });

  test('[L8] a YAML bomb is refused before anything looks at it', () => {
    const bomb = `a: &a [x]\n${Array.from({ length: 20 }, (_, index) => `${String.fromCodePoint(98 + index)}: &${String.fromCodePoint(98 + index)} [${`*${String.fromCodePoint(97 + index)},`.repeat(9)}]`).join('\n')}\nphases: []\n`;
    const read = readDocument(bomb, { file: 'w.yml' });
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'SOURCE_ALIASES', at: { line: 13 } }] });
  });
});
