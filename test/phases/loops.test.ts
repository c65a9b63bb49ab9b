import { describe, expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { definitionOf, hands, inTurn, PhasesBench, writes, type Asked } from './phases-bench.ts';

const LOOP = `name: loop
phases:
  - { id: build, agent_type: execution, output: { artifacts: [] } }
  - { id: check, agent_type: verification, depends_on: [build], output: { report: outputs/report.json } }
  - id: mend
    agent_type: fix
    depends_on: [check]
    condition: '\${check.output.report.failed > 0}'
    max_iterations: 2
    fallback: [execution]
    output: { note: outputs/note.md }
`;

/** A phase beside the others: now each of them has its own files. */
const APART = `${LOOP}  - { id: docs, agent_type: execution, output: { artifacts: [] } }\n`;

/** The check fails a given number of times. */
const plot =
  (reds: number) =>
  (asked: Asked): CallReply | null => {
    switch (asked.phase) {
      case 'build':
        return inTurn(asked, [writes('a.txt', 'broken\n')]);
      case 'docs':
        return inTurn(asked, [writes('docs.md', 'docs\n')]);
      case 'check':
        return inTurn(asked, [hands('report', JSON.stringify({ failed: asked.turn <= reds ? 1 : 0 }))]);
      default:
        return inTurn(asked, [writes('a.txt', `mended ${asked.turn}\n`), hands('note', `round ${asked.turn}`)]);
    }
  };

describe('[PH6] a fix loop in a separate workspace', () => {
  test('brings home what it fixed and the report that is green', async () => {
    const bench = new PhasesBench(plot(1));
    expect(await bench.start(APART)).toMatchObject({ outcome: 'ok' });
    expect(bench.file('a.txt')).toBe('mended 1\n');
    expect(bench.file('outputs/report.json')).toBe('{"failed":0}');
  });

  test('[L5] brings home what it did also when its rounds are used up', async () => {
    const bench = new PhasesBench(plot(9));
    const rest = await bench.start(APART);
    expect(rest).toMatchObject({ outcome: 'partial', output: { phases: { mend: { outcome: 'partial' } } } });
    expect(rest.failure?.message).toContain('After 2 rounds of mend');
    expect(bench.file('a.txt')).toBe('mended 2\n');
  });
});

test('[ST5] each round begins with its own agent: an agent that stepped in before does not get its unfinished outputs', async () => {
  const bench = new PhasesBench((asked) => {
    const { phase, turn } = asked;
    if (phase === 'mend' && turn === 1) return { kind: 'failed', failure: FAILURE };
    if (phase === 'mend' && turn === 2) return says('done');
    return plot(2)(asked);
  });
  expect(await bench.start(LOOP)).toMatchObject({ outcome: 'ok' });
  const turns = bench.asked.filter(({ call }) => call === 1).map(({ phase, turn }) => `${phase} ${turn}`);
  expect(turns.slice(2)).toEqual(['mend 1', 'mend_2 1', 'check 2', 'mend 2', 'mend 3', 'check 3']);
});

const FAILURE = { code: 'REQUEST_REFUSED', message: 'gone', class: 'bad-request' } as const;

test('[ST5] [PH6] a loop that runs goes on by the max_iterations of the new definition', async () => {
  let isPaused = false;
  const bench: PhasesBench = new PhasesBench(async (asked) => {
    if (asked.phase === 'mend' && !isPaused) {
      isPaused = true;
      const [root = ''] = asked.request.run.split('/');
      await bench.host.pause(root as RunId, 'ann', 'later');
    }
    return plot(3)(asked);
  });
  expect(await bench.start(LOOP)).toMatchObject({ status: 'paused' });
  await bench.host.leave(bench.run);
  const definition = await definitionOf(LOOP.replace('max_iterations: 2', 'max_iterations: 3'));
  await bench.host.redefine(bench.run, { definition, by: 'ann' });
  await bench.host.resume(bench.run);
  expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok' });
  expect(bench.file('a.txt')).toBe('mended 3\n');
});

test('[L3] a template without a value in a later round: what the newest report has instead', async () => {
  const bench = new PhasesBench((asked) => {
    const report = asked.turn === 1 ? { failed: 1, first: 1 } : { failures: 1 };
    return asked.phase === 'check' ? inTurn(asked, [hands('report', JSON.stringify(report))]) : plot(9)(asked);
  });
  const rest = await bench.start(LOOP);
  expect(rest.failure?.message).toContain('${check.output.report.failed} (w.yml:8; outputs/report.json has failures)');
});
