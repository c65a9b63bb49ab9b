import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { FilesBench, uses } from '../workspaces/bench.ts';
import { definitionOf, hands, inTurn, PhasesBench, writes, type Asked } from './phases-bench.ts';

// One test drives a run for every write of it.
vi.setConfig({ testTimeout: 120_000 });

const PLANNING = `name: plan only
phases:
  - id: planning
    agent_type: planning
    output:
      plan: specs/plan.md
      tasks: specs/tasks.json
`;

const EXECUTION = `name: work only
phases:
  - id: execution
    agent_type: execution
    output:
      artifacts: []
      pages: pages/*.ts
`;

const TASKS = [{ id: 1, description: 'Say hello', files: ['src/hello.ts'], risk: 'low' }];

const owed = ({ request }: Asked): unknown => {
  const submit = request.tools.find(({ name }) => name === 'submit_output');
  return (submit?.parameters as { properties: { name: { enum: unknown } } } | undefined)?.properties.name.enum;
};

describe('[PH4] submit_output in a phase', () => {
  test('offers all that is owed in every call, takes it from an agent that only reads, and each becomes an artifact', async () => {
    const bench = new PhasesBench((asked) =>
      inTurn(asked, [
        hands('tasks', '[{"id": 1}]'),
        hands('tasks', JSON.stringify(TASKS)),
        hands('plan', '# First\n'),
        hands('plan', '# Second\n'),
      ]),
    );
    expect(await bench.start(PLANNING)).toMatchObject({ outcome: 'ok' });
    expect(bench.asked.map(owed)).toEqual(Array.from({ length: 5 }, () => ['plan', 'tasks']));
    expect(bench.file('specs/plan.md')).toBe('# Second\n');
    const artifacts = (await bench.ofKind('artifact.recorded')).map(({ artifact }) => artifact);
    expect(artifacts.map(({ name, path, producer }) => [name, path, producer])).toEqual([
      ['plan', 'specs/plan.md', 'planning'],
      ['tasks', 'specs/tasks.json', 'planning'],
    ]);
  });

  test('what is declared as changed counts from the beginning of the phase, also in a later turn of it', async () => {
    const bench = new PhasesBench(
      (asked) =>
        asked.turn === 1
          ? inTurn(asked, [writes('src/a.ts', 'new'), writes('src/b.ts', 'new')])
          : inTurn(asked, [
              writes('pages/home.ts', 'new'),
              hands('artifacts', ['src/a.ts', 'readme.txt']),
              hands('artifacts', 'src/a.ts'),
              hands('pages', ['pages/home.ts']),
            ]),
      { 'src/a.ts': 'old' },
    );
    // The first turn leaves out the page, so there is a second one.
    expect(await bench.start(EXECUTION)).toMatchObject({
      outcome: 'ok',
      output: { phases: { execution: { output: { artifacts: ['src/a.ts'], pages: ['pages/home.ts'] } } } },
    });
    const refusals = (await bench.ofKind('tool.finished'))
      .filter(({ isError }) => isError)
      .map(({ content }) => content);
    expect(refusals).toEqual([expect.stringContaining('readme.txt was declared as changed')]);
  });

  test('[PH5] progress belongs to the messages of its phase', async () => {
    const bench = new PhasesBench((asked) =>
      inTurn(asked, [
        uses('report_progress', { progress: 0.5, message: 'Half of it' }),
        hands('plan', 'x'),
        hands('tasks', JSON.stringify(TASKS)),
      ]),
    );
    await bench.start(PLANNING);
    expect(await bench.ofKind('progress.noted')).toMatchObject([{ agent: 'planning', progress: 0.5 }]);
    const messages = (await bench.ofKind('bus.sent')).map(({ message }) => message);
    expect(messages.map(({ type }) => type)).toEqual(['command', 'status', 'result']);
    expect(new Set(messages.map(({ correlationId }) => correlationId)).size).toBe(1);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  });

  test('[PH6] the file says how often a tool is tried', async () => {
    const { library } = await definitionOf(`${PLANNING}errors: { tool_tries: 5 }\n`);
    expect(library['plan only/planning']?.toolTries).toBe(5);
    expect((await definitionOf(PLANNING)).library['plan only/planning']?.toolTries).toBeUndefined();
  });
});

describe('[L6] the engine dies after any write while an agent hands in', () => {
  const answer = ({ call }: CallRequest): CallReply =>
    [hands('plan', '# Plan\n'), hands('tasks', JSON.stringify(TASKS))][call - 1] ?? says('done');

  test('the outputs are there, once each, and the run comes to the same', async () => {
    const definition = await definitionOf(PLANNING);
    let hasDied = true;
    for (let count = 3; hasDied; count += 1) {
      const bench = new FilesBench({ files: { 'readme.txt': '' }, answer });
      const dying = dyingJournal(bench.journal, { afterAppends: count });
      const first = bench.host().world;
      const run = first.newRunId();
      const doomed = createEmbeddedHost({ ...first, journal: dying });
      const beginning = doomed.start({ definition, input: {}, project: bench.project, run });
      await Promise.race([beginning.then(() => doomed.rest(run)), dying.died]);
      hasDied = dying.isDead();
      const { host, world } = bench.host();
      if (hasDied) await host.resume(run);
      expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
      const folder = world.workspaces.folderOf(run, 'main');
      expect(readFileSync(join(folder, 'specs/plan.md'), 'utf8')).toBe('# Plan\n');
      const runs = (await bench.journal.runs({})).map((one) => one.run);
      const facts = (await Promise.all(runs.map((one) => bench.facts(one)))).flat();
      const names = facts.flatMap((fact) => (fact.kind === 'output.handed' ? [fact.name] : []));
      expect([count, names]).toEqual([count, ['plan', 'tasks']]);
    }
  });
});
