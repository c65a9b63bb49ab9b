import { describe, expect, test } from 'vitest';
import { noticeIn } from '../../src/protocol/notice.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { document, hands, inTurn, PhasesBench, writes } from './phases-bench.ts';

describe('[L3] the report of a failed phase to a person', () => {
  test('a template without a value: its line, what the report has instead, and how to write what may be missing', async () => {
    const bench = new PhasesBench((asked) =>
      asked.phase === 'check'
        ? inTurn(asked, [hands('report', '{"zeta": 1, "summary": {"failed": 2, "ok": 1}}')])
        : null,
    );
    const rest = await bench.start(`name: t
phases:
  - { id: check, agent_type: verification, output: { report: outputs/report.json } }
  - id: mend
    agent_type: fix
    depends_on: [check]
    input:
      count: 'There are \${check.output.report.summary.faild}'
`);
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'PHASE_FAILED' } });
    expect(rest.failure?.message).toContain(
      '${check.output.report.summary.faild} (w.yml:8; outputs/report.json has failed, ok)',
    );
    const failures = (await bench.ofKind('run.settled')).map(({ failure }) => failure);
    expect(failures).toContainEqual(
      expect.objectContaining({
        code: 'TEMPLATE_EMPTY',
        hint: expect.stringContaining('${check.output.report?.summary.faild}') as unknown,
      }),
    );
  });

  test('a phase that ran out of time: its name, its timeout and where that stands', async () => {
    const bench = new PhasesBench(() => null);
    bench.stallFirst = true;
    const rest = await bench.start(
      'name: t\nerrors: { timeout_retries: 0 }\nphases:\n  - id: slow\n    agent_type: research\n    timeout: 0.3\n',
    );
    expect(rest.failure?.message).toBe('Phase "slow" took longer than its timeout of 0.3 s (w.yml:6).');
    const [failure] = (await bench.ofKind('run.settled')).map((fact) => fact.failure);
    expect(failure).toMatchObject({ code: 'TIMEOUT', hint: expect.stringContaining('timeout:') as unknown });
  });

  test('[PH4] an output that was handed in and refused: why', async () => {
    const bench = new PhasesBench((asked) => inTurn(asked, [hands('tasks', '[{"id": 1}]')]));
    const rest = await bench.start(
      'name: t\nphases:\n  - { id: plan, agent_type: planning, output: { tasks: specs/tasks.json } }\n',
    );
    expect(rest.failure?.message).toContain(
      'specs/tasks.json does not exist. The last submit_output of it was refused:',
    );
    expect(rest.failure?.message).toContain('"description" is missing');
    expect(rest.failure?.message).not.toContain('hand it in again');
    // Once: the phase is named by its own words.
    expect(rest.failure?.message).toMatch(/^Phase "plan" did not deliver/);
    const joined = (await bench.ofKind('task.ended')).find(({ failure }) => failure?.code === 'JOIN_FAILED');
    expect(joined?.failure?.message).toBe('0 of 1 phases came out ok: plan failed');
  });
});

describe('[PH2] a simple task that names its file', () => {
  const HELPERS = { 'utils/helpers.py': 'def calculate_total(items):\n    return sum(items)\n' };

  test('[L4] owes that file changed, whatever else was written', async () => {
    const bench = new PhasesBench((asked) => inTurn(asked, [writes('notes.txt', 'I thought about it\n')]), HELPERS);
    const rest = await bench.start(document('simple_task'));
    expect(rest).toMatchObject({ outcome: 'failed', output: { way: { isSimple: true } } });
    expect(rest.failure?.message).toContain('utils/helpers.py was to be changed, and it is as it was');
    const ended = await bench.ofKind('task.ended');
    expect(ended.some(({ failure }) => failure?.code === 'OUTPUT_MISSING')).toBe(true);
    expect(bench.asked.some(({ text }) => text.includes('utils/helpers.py was to be changed'))).toBe(true);
  });

  test('one that only reads owes nothing', async () => {
    const bench = new PhasesBench(() => says('It adds.'), HELPERS);
    const file = 'name: t\nworkflow: simple_execution\nagent: research\ninput: { file: utils/helpers.py }\n';
    expect(await bench.start(file)).toMatchObject({ outcome: 'ok', output: { way: { isSimple: true } } });
  });
});

describe('[PH1] files that an input names', () => {
  const FILE = `name: t
phases:
  - { id: a, agent_type: research, input: { spec: specs/none.md, also: [readme.txt, docs/here.md] } }
  - { id: b, agent_type: research, depends_on: [a], input: { made: outputs/x.md }, output: { o: 'outputs/\${feature_name}.md' } }
`;
  const notices = async (bench: PhasesBench) =>
    (await bench.ofKind('state.entered')).flatMap((fact) => noticeIn(fact) ?? []);

  test('those that are not there are reported when the run begins, which goes on', async () => {
    const plot = (asked: Parameters<ConstructorParameters<typeof PhasesBench>[0]>[0]) =>
      asked.phase === 'b' ? inTurn(asked, [hands('o', 'x')]) : null;
    const bench = new PhasesBench(plot, { 'docs/here.md': 'x' });
    expect(await bench.start(FILE)).toMatchObject({ outcome: 'ok' });
    expect(await notices(bench)).toEqual(['specs/none.md does not exist. The input of "a" (w.yml:3) names it.']);
    const whole = new PhasesBench(plot, { 'docs/here.md': 'x', 'specs/none.md': 'x' });
    expect(await whole.start(FILE)).toMatchObject({ outcome: 'ok' });
    expect(await notices(whole)).toEqual([]);
  });
});
