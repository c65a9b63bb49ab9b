import { expect, test } from 'vitest';
import { readDefinitions, readTree } from '../../src/app/runs/tree-reader.ts';
import { NO_RESULT } from '../../src/core/look/result-state.ts';
import { findStep } from '../../src/core/history/find-step.ts';
import { Metrics } from '../../src/protocol/metrics/metrics.ts';
import { foldWorkflowState } from '../../src/protocol/workflow-state/fold-workflow-state.ts';
import { hands, inTurn, PhasesBench, writes } from './phases-bench.ts';

const LOOP = `name: loop
phases:
  - { id: build, agent_type: execution, output: { artifacts: [] } }
  - { id: check, agent_type: verification, depends_on: [build], output: { report: outputs/report.json } }
  - id: mend
    agent_type: fix
    depends_on: [check]
    condition: '\${check.output.report.failed > 0}'
    max_iterations: 3
    output: { fixed: [] }
`;

/** The check is green the third time. */
function looping(): PhasesBench {
  let checks = 0;
  let writings = 0;
  return new PhasesBench((asked) => {
    if (asked.phase === 'check') {
      if (asked.call === 1) checks += 1;
      return inTurn(asked, [hands('report', JSON.stringify({ failed: checks < 3 ? 1 : 0 }))]);
    }
    if (asked.call === 1) writings += 1;
    return inTurn(asked, [writes('a.txt', `${asked.phase} ${writings}\n`)]);
  });
}

test('[PH5] [PH6] the rounds of a loop are counted with each phase that took part', async () => {
  const bench = looping();
  expect(await bench.start(LOOP)).toMatchObject({ outcome: 'ok' });
  const records = await readTree(bench.bench.journal, bench.run);
  const state = foldWorkflowState(bench.run, records, await readDefinitions(bench.bench.journal, records));
  expect(state?.workflow_state.phases.map(({ phase, times }) => `${phase} ${times}`)).toEqual([
    'build 1',
    'check 3',
    'mend 2',
  ]);
  const metrics = new Metrics(0);
  const counted = records.map((one) => ({ ...one, isInherited: false }));
  metrics.add({
    run: bench.run,
    title: 'x',
    project: '/p',
    status: 'settled',
    driven: false,
    result: NO_RESULT,
    records: counted,
  });
  const units = metrics.view().phases.filter(({ within }) => within === 'phases');
  expect(units.map(({ phase, count }) => `${phase} ${count}`)).toEqual(['build 1', 'check 3', 'mend 2']);
});

test('[PH7] a fork leaves the run at a phase by its name, and the result names each file once', async () => {
  const bench = looping();
  await bench.start(LOOP);
  const records = await bench.bench.journal.read(bench.run);
  for (const name of ['build', 'check', 'build:end', 'mend']) {
    const found = findStep(records, name);
    if (!found.ok) throw new Error(found.message);
    const forked = await bench.host.fork(bench.run, { at: found.seq, by: 'ann' });
    await bench.host.resume(forked);
    const rest = await bench.host.rest(forked);
    expect([name, rest]).toMatchObject([name, { outcome: 'ok' }]);
    const { artifacts } = rest.output as { readonly artifacts: readonly string[] };
    expect(artifacts).toEqual([...new Set(artifacts)]);
    expect(artifacts).toContain('a.txt');
  }
});
