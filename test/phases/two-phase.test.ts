import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { document, hands, inTurn, PhasesBench, writes, type Asked } from './phases-bench.ts';

const TASKS = [{ id: 1, description: 'Say hello', files: ['src/hello.ts'], risk: 'low' }];

const report = (failed: number) =>
  JSON.stringify({ tests_passed: 4, tests_failed: failed, failures: failed > 0 ? ['hello is wrong'] : [] });

/** The document's flow: a plan, the work, a check that fails a given number of times, and fixing. */
function plot(reds: number) {
  return (asked: Asked): CallReply | null => {
    switch (asked.phase) {
      case 'planning':
        return inTurn(asked, [hands('plan', '# Hello\n'), hands('tasks', JSON.stringify(TASKS))]);
      case 'execution':
        return inTurn(asked, [
          writes('src/hello.ts', "export const hello = 'helo';\n"),
          writes('outputs/execution_report.json', '{"status": "success"}'),
        ]);
      case 'verification':
        return inTurn(asked, [hands('walkthrough', '# Seen\n'), hands('report', report(asked.turn <= reds ? 1 : 0))]);
      default:
        return inTurn(asked, [writes('src/hello.ts', `export const hello = 'hello ${asked.turn}';\n`)]);
    }
  };
}

const INPUT = { user_request: 'Say hello to everybody', feature_name: 'hello' };

describe("the document's two-phase feature, unchanged", () => {
  test('[PH1] [PH2] planning, execution, verification; the fix is skipped where nothing failed', async () => {
    const bench = new PhasesBench(plot(0));
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({
      outcome: 'ok',
      output: {
        phases: {
          planning: { outcome: 'ok', output: { plan: 'specs/hello_plan.md', tasks: 'specs/hello_tasks.json' } },
          execution: { outcome: 'ok', output: { report: 'outputs/execution_report.json' } },
          verification: { outcome: 'ok' },
          fix: { outcome: 'skipped' },
        },
      },
    });
    expect(bench.file('specs/hello_plan.md')).toBe('# Hello\n');
    expect(bench.file('src/hello.ts')).toContain('helo');
    expect(bench.asked.some(({ phase }) => phase === 'fix')).toBe(false);
  });

  test('[PH1] the agent is given exactly what the phase before it made', async () => {
    const bench = new PhasesBench(plot(0));
    await bench.start(document('two_phase_feature'), INPUT);
    const first = (phase: string) => bench.asked.find((asked) => asked.phase === phase)?.text ?? '';
    expect(first('planning')).toContain('Say hello to everybody');
    expect(first('execution')).toContain('specs/hello_plan.md');
    expect(first('execution')).toContain('# Hello');
    expect(first('verification')).toContain('src/hello.ts');
  });

  test('[PH6] a red check is fixed and checked again until it is green', async () => {
    const bench = new PhasesBench(plot(2));
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({ outcome: 'ok', output: { phases: { fix: { outcome: 'ok' } } } });
    expect(bench.file('src/hello.ts')).toContain('hello 2');
    const turns = bench.asked.filter(({ call }) => call === 1).map(({ phase, turn }) => `${phase} ${turn}`);
    expect(turns.slice(-5)).toEqual(['verification 1', 'fix 1', 'verification 2', 'fix 2', 'verification 3']);
    expect(bench.asked.find(({ phase }) => phase === 'fix')?.text).toContain('hello is wrong');
  });

  test('[PH6] [L5] what is still red after three rounds is partial, and what was done is kept', async () => {
    const bench = new PhasesBench(plot(9));
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({ outcome: 'partial', failure: { code: 'PHASE_PARTIAL' } });
    expect(rest.failure?.message).toContain('After 3 rounds of fix');
    expect(bench.file('src/hello.ts')).toContain('hello 3');
  });

  test('[PH6] how many rounds there are is set by the file where the phase does not say', async () => {
    const bench = new PhasesBench(plot(9));
    const file = document('two_phase_feature').replace('    max_iterations: 3\n', '');
    const rest = await bench.start(`errors: { fix_rounds: 1 }\n${file}`, INPUT);
    expect(rest.failure?.message).toContain('After 1 round of fix');
    expect(bench.file('src/hello.ts')).toContain('hello 1');
  });

  test('[PH2] without a name the feature is called by its request', async () => {
    const bench = new PhasesBench(plot(0));
    await bench.start(document('two_phase_feature'), { user_request: 'Say “hello”, twice!' });
    expect(bench.file('specs/say_hello_twice_plan.md')).toBe('# Hello\n');
  });
});

describe('what the engine sees to', () => {
  test('[PH3] a planning agent that tries to write is stopped, whatever its instructions say', async () => {
    const bench = new PhasesBench((asked) => {
      if (asked.phase !== 'planning') return plot(0)(asked);
      return inTurn(asked, [
        writes('src/hello.ts', 'mine'),
        hands('plan', '# Hello\n'),
        hands('tasks', JSON.stringify(TASKS)),
      ]);
    });
    await bench.start(document('two_phase_feature'), INPUT);
    expect(bench.asked.find(({ phase }) => phase === 'planning')?.tools).not.toContain('write_file');
    expect(await bench.ofKind('tool.finished')).toContainEqual(
      expect.objectContaining({ isError: true, refused: 'MODE_READ_ONLY' }),
    );
  });

  test('[PH4] [L4] a declared output that is missing is asked for, then fails the phase with the list', async () => {
    const bench = new PhasesBench((asked) =>
      asked.phase === 'planning'
        ? inTurn(asked, [hands('plan', '# Hello\n')].slice(0, asked.turn === 1 ? 1 : 0))
        : null,
    );
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'PHASE_FAILED' } });
    expect(rest.failure?.message).toContain('tasks');
    expect(bench.asked.findLast(({ phase }) => phase === 'planning')?.text).toContain('specs/hello_tasks.json');
    expect(rest.output).toMatchObject({
      phases: { planning: { outcome: 'failed' }, execution: { outcome: 'skipped' }, fix: { outcome: 'skipped' } },
    });
  });

  test('[PH7] [PH6] a critical failure in execution leaves everything as it was, byte for byte', async () => {
    const files = { 'src/hello.ts': 'old\n', 'bin.dat': '\u0000\u0001' };
    const bench = new PhasesBench((asked) => {
      if (asked.phase !== 'execution') return plot(0)(asked);
      return inTurn(asked, [writes('src/hello.ts', 'half'), writes('src/more.ts', 'new')]);
    }, files);
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest.outcome).toBe('failed');
    expect(bench.file('src/hello.ts')).toBe('old\n');
    expect(() => bench.file('src/more.ts')).toThrow('ENOENT');
    expect(() => bench.file('specs/hello_plan.md')).toThrow('ENOENT');
    expect(readFileSync(join(bench.bench.project, 'src/hello.ts'), 'utf8')).toBe('old\n');
    expect(readdirSync(bench.bench.project).toSorted()).toEqual(['bin.dat', 'readme.txt', 'src']);
  });

  test('[PH4] a report that is no JSON is sent back with its place', async () => {
    const bench = new PhasesBench((asked) => {
      if (asked.phase !== 'verification') return plot(0)(asked);
      return inTurn(asked, [
        hands('walkthrough', '# Seen\n'),
        hands('report', '{"tests_failed": }'),
        hands('report', report(0)),
      ]);
    });
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest.outcome).toBe('ok');
    const refused = (await bench.ofKind('tool.finished')).filter(({ isError }) => isError);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.content).toMatch(/verification_report\.json:1:\d+/);
  });

  test('[PH4] a plan that was changed after it was recorded stops the phases that depend on it', async () => {
    const bench = new PhasesBench((asked) => {
      if (asked.phase !== 'execution') return plot(0)(asked);
      return inTurn(asked, [
        writes('specs/hello_plan.md', '# Something easier\n'),
        writes('outputs/execution_report.json', '{}'),
      ]);
    });
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({ outcome: 'failed', output: { phases: { verification: { outcome: 'failed' } } } });
    expect(rest.failure?.message).toContain('specs/hello_plan.md');
    const ended = await bench.ofKind('task.ended');
    expect(ended.some(({ failure }) => failure?.code === 'ARTIFACT_CHANGED')).toBe(true);
  });

  test('[L3] a condition on something that is not in the report is an error, not a skipped phase', async () => {
    const bench = new PhasesBench((asked) => {
      if (asked.phase !== 'verification') return plot(0)(asked);
      return inTurn(asked, [hands('walkthrough', '# Seen\n'), hands('report', '{"failed": 2}')]);
    });
    const rest = await bench.start(document('two_phase_feature'), INPUT);
    expect(rest).toMatchObject({ outcome: 'failed', output: { phases: { fix: { outcome: 'failed' } } } });
    expect(rest.failure?.message).toContain('${verification.output.report.tests_failed}');
  });

  test('[PH5] handoffs, messages and artifacts are in the journal', async () => {
    const bench = new PhasesBench(plot(0));
    await bench.start(document('two_phase_feature'), INPUT);
    const handoffs = (await bench.ofKind('handoff.made')).map(({ handoff }) => `${handoff.from}>${handoff.to}`);
    expect(handoffs.toSorted()).toEqual(['execution>verification', 'planning>execution']);
    const sent = (await bench.ofKind('bus.sent')).map(
      ({ message }) => `${message.type} ${message.sender}>${message.receiver}`,
    );
    expect(sent).toContain('command orchestrator>planning');
    expect(sent).toContain('result planning>orchestrator');
    const made = (await bench.ofKind('artifact.recorded')).map(({ artifact }) => [
      artifact.name,
      artifact.type,
      artifact.path,
    ]);
    expect(made).toContainEqual(['plan', 'plan', 'specs/hello_plan.md']);
    expect(made).toContainEqual(['artifacts', 'code', 'src/hello.ts']);
    expect(made).toContainEqual(['report', 'report', 'outputs/verification_report.json']);
  });
});

describe('a fix changes what another phase named', () => {
  const FILE = `name: pinned
phases:
  - { id: execution, agent_type: execution, output: { code: src/login.ts } }
  - id: verification
    agent_type: verification
    depends_on: [execution]
    input: { code: '\${execution.output.code}' }
    output: { report: outputs/report.json }
  - id: fix
    agent_type: fix
    depends_on: [verification]
    condition: '\${verification.output.report.tests_failed > 0}'
    max_iterations: 2
    output: { OUTPUT }
  - id: ship
    agent_type: verification
    depends_on: [execution, verification]
    input: { code: '\${execution.output.code}' }
`;

  function mending(asked: Asked): CallReply | null {
    if (asked.phase === 'execution') return inTurn(asked, [writes('src/login.ts', 'wrong\n')]);
    if (asked.phase === 'fix') return inTurn(asked, [writes('src/login.ts', 'right\n')]);
    if (asked.phase !== 'verification') return null;
    return inTurn(asked, [hands('report', report(asked.text.includes('wrong') || asked.turn === 1 ? 1 : 0))]);
  }

  test.each(['fixed_files: []', 'fixed_files: [src/login.ts]', ''])(
    '[PH4] [PH2] a second look and later phases get the fixed version (%s)',
    async (output) => {
      const bench = new PhasesBench(mending);
      const rest = await bench.start(FILE.replace('OUTPUT', output), {});
      expect(rest).toMatchObject({
        outcome: 'ok',
        output: { phases: { fix: { outcome: 'ok' }, ship: { outcome: 'ok' } } },
      });
      expect(bench.asked.findLast(({ phase, call }) => phase === 'verification' && call === 1)?.text).toContain(
        'right',
      );
      expect(bench.asked.find(({ phase }) => phase === 'ship')?.text).toContain('right');
      const handoffs = (await bench.ofKind('handoff.made')).map(({ handoff }) => `${handoff.from}>${handoff.to}`);
      expect(handoffs).toContain('fix>verification');
      const made = (await bench.ofKind('artifact.recorded')).map(({ artifact }) => artifact);
      const mended = made.findLast(({ path }) => path === 'src/login.ts');
      expect(made.findLast(({ path }) => path === 'outputs/report.json')?.dependencies).toEqual([mended?.id]);
    },
  );
});
