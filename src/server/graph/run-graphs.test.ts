import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal, Lease } from '../../journal/port.ts';
import {
  began,
  entered,
  inPool,
  testRecords,
  work,
  type TestFact,
} from '../../protocol/workflow-state/testing/test-records.ts';
import { FlowLayout } from './lay-flow.ts';
import { RunGraphs, type GraphStage } from './run-graphs.ts';
import { planStep } from './testing/plan-step.ts';
import { flawsOf } from './testing/sound-picture.ts';

const flow = defineWorkflow({
  name: 'flow',
  start: 'first',
  agents: { coder: {} },
  states: {
    first: { work: { kind: 'call', workflow: 'step' }, transitions: ['many'] },
    many: {
      work: { kind: 'pool', items: 'common_data.items', work: { kind: 'call', workflow: 'step' }, slots: 3 },
      transitions: ['stop'],
    },
    stop: { kind: 'end' },
  },
});

const layout = new FlowLayout();

const definition: Definition = { workflow: flow, library: { step: planStep }, roles: {} };

interface RunFixture {
  readonly journal: Journal;
  readonly graphs: RunGraphs;
  readonly reads: string[];
  readonly tell: (...facts: readonly TestFact[]) => Promise<void>;
}

/** A run whose journal a test writes. */
async function aRun(): Promise<RunFixture> {
  const journal = createMemoryJournal();
  const reads: string[] = [];
  const spied: GraphStage['journal'] = {
    run: (run) => journal.run(run),
    read: (run, after, limit) => {
      reads.push(`${run} ${after ?? 0}`);
      return journal.read(run, after, limit);
    },
  };
  const stage: GraphStage = {
    journal: spied,
    definition: () => Promise.resolve(definition),
    drawing: (workflow) => Promise.resolve({ workflow, units: {} }),
  };
  const graphs = new RunGraphs(stage, layout);
  const lease = await create(journal, 'r', [began('r')]);
  let seq = 1;
  const tell = async (...facts: readonly TestFact[]): Promise<void> => {
    const records = testRecords(facts).map((record) => ({ ...record, seq: (seq += 1) }));
    await journal.append(lease, { records, summary: { status: 'running', outcome: null } });
  };
  return { journal, graphs, reads, tell };
}

async function create(journal: Journal, run: string, facts: readonly TestFact[]): Promise<Lease> {
  const parent = run.includes('/') ? runId(run.slice(0, run.lastIndexOf('/'))) : null;
  const about = { run: runId(run), parent, workflow: 'flow', project: '/p', title: '', at: 1 };
  return await journal.create(about, 'me', {
    records: testRecords(facts),
    summary: { status: 'running', outcome: null },
  });
}

const call = { kind: 'call', workflow: 'step', input: {} };
const units = (pool: string, ids: readonly string[]): TestFact => ({
  kind: 'units.added',
  task: pool,
  by: null,
  units: ids.map((id) => ({ id, after: [], item: { title: `Item ${id}` } })),
});
const RUN = runId('r');

test('[U9] a pool has a lane for each unit that is known now, in order', async () => {
  const { graphs, tell } = await aRun();
  const before = await graphs.ofRun(RUN, {});
  expect(before.nodes.filter(({ kind }) => kind === 'lane').map(({ label }) => label)).toEqual(['for each item']);
  await tell(entered('many'), work('t2', 'many', { kind: 'pool' }), units('t2', ['b', 'a', 'c']));
  const { nodes } = await graphs.ofRun(RUN, {});
  const lanes = nodes.filter(({ kind }) => kind === 'lane');
  expect(lanes.map(({ id, unit, detail }) => [id, unit, detail])).toEqual([
    ['many/b', 'b', 'call step · Item b'],
    ['many/a', 'a', 'call step · Item a'],
    ['many/c', 'c', 'call step · Item c'],
  ]);
  expect(new Set(lanes.map(({ width }) => width)).size).toBe(1);
});

test('[U9] child runs are folded, and open on request, each with the states of that run', async () => {
  const { graphs, journal, tell } = await aRun();
  await tell(entered('first'), work('t1', 'first', call));
  await create(journal, 'r/t1', [began('r/t1')]);
  await tell(
    entered('many'),
    work('t2', 'many', { kind: 'pool' }),
    units('t2', ['a', 'b']),
    inPool(work('t3', 'many', call), 't2', 'a'),
  );
  await create(journal, 'r/t3', [began('r/t3')]);
  const folded = await graphs.ofRun(RUN, { open: [] });
  expect(folded.nodes.filter(({ inside }) => inside === 'folded').map(({ id }) => id)).toEqual(['first', 'many']);
  const view = await graphs.ofRun(RUN, { open: ['first', 'many', 'many/a', 'many/b'] });
  expect(flawsOf(view)).toEqual([]);
  const inner = view.nodes.filter(({ label }) => label === 'plan');
  expect(inner.map(({ id, parent, run, state }) => [id, parent, run, state])).toEqual([
    ['first/t1/plan', 'first', 'r/t1', 'plan'],
    ['many/t3/plan', 'many/a', 'r/t3', 'plan'],
    // It has not begun, but what it will be is known.
    ['many/b/~/plan', 'many/b', null, 'plan'],
  ]);
});

test('[U9] of a thousand units thirty have lanes, and one lane counts the rest', async () => {
  const { graphs, tell } = await aRun();
  const ids = Array.from({ length: 1000 }, (_, index) => String(index));
  await tell(entered('many'), work('t2', 'many', { kind: 'pool' }), units('t2', ids));
  const { nodes } = await graphs.ofRun(RUN, {});
  const lanes = nodes.filter(({ kind }) => kind === 'lane');
  expect(lanes).toHaveLength(31);
  expect(lanes.at(-1)).toMatchObject({ id: 'many/*more', label: '… 970 more', unit: null });
});

test('[U9] a picture stays the same while a run only moves, and its journal is read on from where it was', async () => {
  const { graphs, reads, tell } = await aRun();
  await tell(entered('first'), work('t1', 'first', call));
  const before = await graphs.ofRun(RUN, {});
  await tell(entered('many', 'first'), work('t2', 'many', { kind: 'pool' }));
  reads.length = 0;
  const after = await graphs.ofRun(RUN, {});
  expect(after.hash).toBe(before.hash);
  expect(reads).toEqual(['r 3']);
  await tell(units('t2', ['a']));
  expect((await graphs.ofRun(RUN, {})).hash).not.toBe(before.hash);
});

/** The run as it was then, with these units of its pool. */
function putBack(to: number, ids: readonly string[]): TestFact {
  const unit = { status: 'waiting', outcome: null, reason: null, after: [], item: null };
  const pool = { id: 't2', state: 'many', work: { kind: 'pool' }, turn: null };
  const tasks = { t2: { ...pool, units: ids.map((id) => ({ id, ...unit })) } };
  return {
    kind: 'run.rewound',
    to,
    by: 'me',
    state: { status: 'running', current: { state: 'many' }, visits: {}, tasks },
  };
}

test('[U9] a run that was put back has the units and children it had then', async () => {
  const { graphs, tell } = await aRun();
  await tell(entered('many'), work('t2', 'many', { kind: 'pool' }), units('t2', ['a']), units('t2', ['b']));
  const lanes = async (): Promise<readonly string[]> =>
    (await graphs.ofRun(RUN, {})).nodes.filter(({ kind }) => kind === 'lane').map(({ label }) => label);
  expect(await lanes()).toEqual(['a', 'b']);
  await tell(putBack(4, ['a']));
  expect(await lanes()).toEqual(['a']);
  // What was undone comes back when somebody goes back to it.
  await tell(putBack(5, ['a', 'b']));
  expect(await lanes()).toEqual(['a', 'b']);
});

test('[U9] a pool that is entered again has new units, which have not begun', async () => {
  const { graphs, journal, tell } = await aRun();
  await tell(work('t2', 'many', { kind: 'pool' }), units('t2', ['a']), inPool(work('t3', 'many', call), 't2', 'a'));
  await create(journal, 'r/t3', [began('r/t3')]);
  await tell(work('t5', 'many', { kind: 'pool' }), units('t5', ['a']));
  const { nodes } = await graphs.ofRun(RUN, { open: ['many', 'many/a'] });
  expect(nodes.find(({ label }) => label === 'plan')).toMatchObject({ id: 'many/a/~/plan', run: null });
});

test('[U9] requests at the same time read a journal once', async () => {
  const { graphs, reads, tell } = await aRun();
  await tell(entered('first'));
  const views = await Promise.all([1, 2, 3].map(() => graphs.ofRun(RUN, {})));
  expect(new Set(views.map(({ hash }) => hash)).size).toBe(1);
  // Once for its story, once for its definition.
  expect(reads.filter((read) => read === 'r 0')).toHaveLength(2);
});

test('[U9] a run that is not there is reported as such', async () => {
  const { graphs } = await aRun();
  await expect(graphs.ofRun(runId('nobody'), {})).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
});
