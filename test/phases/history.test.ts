import { describe, expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { definitionOf, hands, inTurn, PhasesBench, writes, type Asked } from './phases-bench.ts';

/** The second phase goes on with what the first one made, and the third reads what it was called then. */
const LINE = `name: line
phases:
  - id: build
    agent_type: execution
    output: { artifacts: [] }
  - id: polish
    agent_type: execution
    depends_on: [build]
    output: { note: outputs/note.md }
  - id: check
    agent_type: verification
    depends_on: [polish]
    input: { files: '\${build.output.artifacts}' }
    output: { report: outputs/report.json }
`;

function plot(asked: Asked): CallReply | null {
  switch (asked.phase) {
    case 'build':
      return inTurn(asked, [writes('a.txt', 'one\n')]);
    case 'polish':
      return inTurn(asked, [writes('a.txt', 'two\n'), hands('note', 'polished')]);
    default:
      return inTurn(asked, [hands('report', '{"failed": 0}')]);
  }
}

/** The records after which a phase had just ended. */
async function endsOf(bench: PhasesBench): Promise<readonly number[]> {
  const records = await bench.bench.journal.read(bench.run);
  return records.filter(({ fact }) => fact.kind === 'task.ended').map(({ seq }) => seq);
}

describe('[U7] a run of phases at an earlier record', () => {
  test('[PH4] a fork knows what the phases made that had ended before it', async () => {
    const bench = new PhasesBench(plot);
    expect(await bench.start(LINE)).toMatchObject({ outcome: 'ok' });
    for (const at of (await endsOf(bench)).slice(0, 2)) {
      const forked = await bench.host.fork(bench.run, { at, by: 'ann' });
      await bench.host.resume(forked);
      expect([at, await bench.host.rest(forked)]).toMatchObject([at, { outcome: 'ok', failure: null }]);
      const again = await bench.host.fork(forked, { at: at + 1, by: 'ann' });
      await bench.host.resume(again);
      expect([at, await bench.host.rest(again)]).toMatchObject([at, { outcome: 'ok', failure: null }]);
    }
  });

  test('[PH7] put back there with its files it goes on from there, and comes to the same', async () => {
    const bench = new PhasesBench(plot);
    await bench.start(LINE);
    for (const to of (await endsOf(bench)).slice(0, 2)) {
      await bench.host.rewind(bench.run, { to, files: true, conversation: true, by: 'ann' });
      await bench.host.resume(bench.run);
      expect([to, await bench.host.rest(bench.run)]).toMatchObject([to, { outcome: 'ok' }]);
      expect(bench.file('a.txt')).toBe('two\n');
    }
  });
});

/** Does something to the run while a phase is at work. */
async function during(act: (bench: PhasesBench, run: RunId) => Promise<void>) {
  let isDone = false;
  const bench: PhasesBench = new PhasesBench((asked) => {
    if (asked.phase === 'polish' && !isDone) {
      isDone = true;
      const [root = ''] = asked.request.run.split('/');
      void act(bench, root as RunId);
    }
    return plot(asked);
  });
  return { bench, rest: await bench.start(LINE) };
}

describe('a person steps in while a phase is at work', () => {
  test('[L10] cancelled: nothing further begins', async () => {
    const { bench, rest } = await during((one, run) => one.host.cancel(run, 'ann', 'enough'));
    expect(rest).toMatchObject({ outcome: 'cancelled', failure: { code: 'CANCELLED' } });
    expect(bench.asked.some(({ phase }) => phase === 'check')).toBe(false);
  });

  test('[L6] paused: it rests, and goes on where it stood', async () => {
    const { bench, rest } = await during((one, run) => one.host.pause(run, 'ann', 'later'));
    expect(rest).toMatchObject({ status: 'paused' });
    await bench.host.resume(bench.run);
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok' });
    expect(bench.asked.filter(({ phase, call }) => phase === 'build' && call === 1)).toHaveLength(1);
  });
});

const LOOP = `name: loop
phases:
  - { id: build, agent_type: execution, output: { artifacts: [] } }
  - { id: check, agent_type: verification, depends_on: [build], output: { report: outputs/report.json } }
  - id: mend
    agent_type: fix
    depends_on: [check]
    condition: '\${check.output.report.failed > 0}'
    max_iterations: 2
    output: { fixed: [] }
`;

/** The check below the run itself is red, the one within the loop green. */
function answer({ agent, call, run }: CallRequest): CallReply {
  const failed = run.split('/').length === 2 ? 1 : 0;
  const first = agent === 'check' ? hands('report', JSON.stringify({ failed })) : writes('a.txt', `${agent}\n`);
  return call === 1 ? first : says('done');
}

const made = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.kind === 'artifact.recorded' ? [`${fact.artifact.phase} ${fact.artifact.path}`] : []));

const notices = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => {
    if (fact.kind === 'bus.sent') return [fact.message.id];
    return fact.kind === 'handoff.made' ? [fact.handoff.id] : [];
  });

/** Every write would take minutes: these meet each step of a round in one of the runs. */
const BETWEEN = 13;

test('[L6] [PH6] the engine dies anywhere in a fix loop: the same artifacts and messages, once each', async () => {
  const definition = await definitionOf(LOOP);
  let hasDied = true;
  for (let count = 3; hasDied; count += BETWEEN) {
    const bench = new FilesBench({ files: { 'readme.txt': '' }, answer });
    const dying = dyingJournal(bench.journal, { afterAppends: count });
    const first = bench.host().world;
    const run = first.newRunId();
    const doomed = createEmbeddedHost({ ...first, journal: dying });
    const beginning = doomed.start({ definition, input: {}, project: bench.project, run });
    await Promise.race([beginning.then(() => doomed.rest(run)), dying.died]);
    hasDied = dying.isDead();
    const { host } = bench.host();
    if (hasDied) await host.resume(run);
    const { outcome } = await host.rest(run);
    const runs = (await bench.journal.runs({})).map((one) => one.run);
    const facts = (await Promise.all(runs.map((one) => bench.facts(one)))).flat();
    expect({ count, outcome, made: made(facts).toSorted() }).toEqual({
      count,
      outcome: 'ok',
      made: ['build a.txt', 'check outputs/report.json', 'check outputs/report.json', 'mend a.txt'],
    });
    expect(new Set(notices(facts)).size).toBe(notices(facts).length);
  }
}, 180_000);
