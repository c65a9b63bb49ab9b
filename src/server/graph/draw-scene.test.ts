import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Workflow } from '../../core/model/workflow.ts';
import { loadWorkflowFile, loadWorkflowFolder } from '../../formats/load-workflows.ts';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { drawingOf } from '../../source/drawing.ts';
import { shippedStages } from '../../formats/stages/parse/planned-stages.ts';
import { drawScene, PLAIN } from './draw-scene.ts';
import { FlowLayout } from './lay-flow.ts';
import { calledWorkflow, type Scene } from './scene.ts';
import { flawsOf } from './testing/sound-picture.ts';

const layout = new FlowLayout();

const sceneOf = (workflow: Workflow, library: Readonly<Record<string, Workflow>> = {}): Scene => ({
  run: null,
  workflow,
  drawing: drawingOf(workflow),
  library,
  story: null,
  prefix: '',
});

const names = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom('a', 'b', 'start', 'x/y', 'x,y', '*', '~', '%', '>', 'done', '状態', 'very long '.repeat(12).trim()),
);

/** Any states with any edges between them: circles, loops, islands, pools with units that wait for each other, ends. */
const workflows = fc
  .uniqueArray(
    names.filter((name) => name.trim() !== ''),
    { minLength: 1, maxLength: 14 },
  )
  .chain((states) => {
    const target = fc.constantFrom(...states);
    const unit = (list: readonly string[]) =>
      list.map((id, index) => ({ id, after: index > 1 ? [list[index - 2] ?? ''] : [], work: TURN }));
    const pool = fc.record({
      units: fc.uniqueArray(names, { maxLength: 6 }).map((ids) => ({ kind: 'fixed' as const, list: unit(ids) })),
      isItems: fc.boolean(),
    });
    const one = fc.record({
      targets: fc.array(fc.tuple(target, fc.boolean()), { maxLength: 4 }),
      failing: fc.array(target, { maxLength: 3 }),
      kind: fc.constantFrom('turn', 'none', 'call', 'pool', 'end'),
      pool,
    });
    return fc.tuple(fc.constant(states), fc.array(one, { minLength: states.length, maxLength: states.length }));
  })
  .map(([states, parts]) => madeOf(states, parts));

const TURN = { kind: 'turn', agent: 'coder', mode: 'ask', input: null } as const;
const NAME = { kind: 'name', name: 'outcome' } as const;

interface Part {
  readonly targets: readonly (readonly [string, boolean])[];
  readonly failing: readonly string[];
  readonly kind: string;
  readonly pool: {
    readonly units: {
      readonly kind: 'fixed';
      readonly list: readonly { id: string; after: string[]; work: typeof TURN }[];
    };
    readonly isItems: boolean;
  };
}

function madeOf(states: readonly string[], parts: readonly Part[]): Workflow {
  const base = defineWorkflow({ name: 'any', agents: { coder: {} }, states: { start: { kind: 'end' } } });
  const made = states.map((name, index): Workflow['states'][string] => {
    const { targets = [], failing = [], kind = 'end', pool } = parts[index] ?? {};
    if (kind === 'end' || pool === undefined) return { kind: 'end', name, outcome: 'failed', output: null };
    const items = { kind: 'items' as const, items: NAME, work: TURN };
    const many = {
      kind: 'pool' as const,
      units: pool.isItems ? items : pool.units,
      slots: 2,
      join: { rule: 'all' as const },
      grow: null,
    };
    const works = { pool: many, turn: TURN, call: { kind: 'call' as const, workflow: 'any', input: {} } };
    return {
      kind: 'work',
      name,
      enter: null,
      work: kind === 'none' ? { kind: 'none' } : works[kind as 'pool' | 'turn' | 'call'],
      transitions: targets.map(([to, hasWhen]) => ({ target: to, when: hasWhen ? NAME : null, assign: null })),
      on: { failed: failing.map((to) => ({ target: to, when: null, assign: null })) },
      timeoutMs: null,
      retry: null,
    };
  });
  return { ...base, start: states[0] ?? '', states: Object.fromEntries(made.map((state) => [state.name, state])) };
}

const nested = (depth: number) => ({
  layout,
  building: {
    opened: { pool: () => true, child: (id: string) => id.split('/').length < depth },
    below: (scene: Scene, { workflow }: { readonly workflow: string }, prefix: string) => {
      const called = calledWorkflow(scene, workflow);
      return Promise.resolve(
        called === null ? null : { ...scene, workflow: called, drawing: drawingOf(called), prefix },
      );
    },
  },
});

test('[U9] whatever a workflow looks like, no box of its picture lies over another, and every edge ends at its boxes', async () => {
  await fc.assert(
    fc.asyncProperty(workflows, fc.constantFrom('right' as const, 'down' as const), async (workflow, direction) => {
      const view = await drawScene(sceneOf(workflow), { ...nested(2), direction });
      expect(flawsOf(view)).toEqual([]);
      expect(view.nodes.filter(({ parent, kind }) => parent === null && kind !== 'start')).toHaveLength(
        Object.keys(workflow.states).length,
      );
    }),
    { numRuns: 30, seed: 7 },
  );
}, 120_000);

async function known(): Promise<readonly Workflow[]> {
  const [shipped, examples, demo] = await Promise.all([
    loadWorkflowFolder('assets/workflows'),
    loadWorkflowFolder('examples'),
    loadWorkflowFile('examples/demo/slug_review.yaml'),
  ]);
  const modules = await Promise.all(
    ['blog_post', 'ship_it', 'three_estimates', 'two_in_parallel'].map(
      async (name) => await loadWorkflowFile(`examples/${name}.ts`),
    ),
  );
  return [
    ...shipped.workflows,
    ...shippedStages(),
    ...examples.workflows,
    ...[demo, ...modules].flatMap((one) => (one.ok ? one.value : [])),
  ];
}

test('[U9] every workflow that comes with Troupe has a sound picture, with what it calls folded or open', async () => {
  const all = await known();
  expect(all.length).toBeGreaterThan(20);
  const library = Object.fromEntries(all.map((workflow) => [workflow.name, workflow]));
  for (const workflow of all) {
    const scene = sceneOf(workflow, library);
    expect([workflow.name, ...flawsOf(await drawScene(scene, { ...PLAIN, layout }))]).toEqual([workflow.name]);
    expect([workflow.name, ...flawsOf(await drawScene(scene, nested(4)))]).toEqual([workflow.name]);
  }
}, 120_000);

test('[U9] the same workflow gives the same picture, from another thread too', async () => {
  const first = (await loadWorkflowFolder('assets/workflows')).workflows.find(({ name }) => name === 'quest');
  if (first === undefined) throw new Error('There is none.');
  const one = await drawScene(sceneOf(first), PLAIN);
  const other = await drawScene(sceneOf(first), PLAIN);
  expect(other).toEqual(one);
  expect(one.hash).toMatch(/^[\w-]{22}$/);
}, 60_000);

const three = defineWorkflow({
  name: 'three',
  start: 'code',
  agents: { coder: {}, reviewer: {} },
  states: {
    code: {
      work: { kind: 'turn', agent: 'coder', input: "'x'" },
      transitions: [{ target: 'review', when: 'common_data.n > 1' }, 'stop'],
      on: { failed: ['lost'], timeout: ['lost'] },
    },
    review: { work: { kind: 'turn', agent: 'reviewer', input: "'x'" }, transitions: ['code'] },
    stop: { kind: 'end' },
    lost: { kind: 'end', outcome: 'failed' },
  },
});

test('[U9] edges bear their conditions, know which transitions they are, and whether they lead back', async () => {
  const { edges } = await drawScene(sceneOf(three), { ...PLAIN, layout });
  expect(edges.map(({ from, to, label, ways, isBack }) => ({ from, to, label, ways, isBack }))).toEqual([
    { from: '*', to: 'code', label: '', ways: [], isBack: false },
    {
      from: 'code',
      to: 'review',
      label: 'n > 1',
      ways: [{ state: 'code', outcome: 'ok', transition: 0 }],
      isBack: false,
    },
    {
      from: 'code',
      to: 'stop',
      label: 'otherwise',
      ways: [{ state: 'code', outcome: 'ok', transition: 1 }],
      isBack: false,
    },
    {
      from: 'code',
      to: 'lost',
      label: 'failed, timeout',
      ways: [
        { state: 'code', outcome: 'failed', transition: 0 },
        { state: 'code', outcome: 'timeout', transition: 0 },
      ],
      isBack: false,
    },
    { from: 'review', to: 'code', label: '', ways: [{ state: 'review', outcome: 'ok', transition: 0 }], isBack: true },
  ]);
  expect(edges.find(({ to }) => to === 'review')?.condition).toBe('common_data.n > 1');
});

test('[U9] an edge says what its author calls it, and never shows half a line of code', async () => {
  const when = 'common_data.list.some((one) => one.isDone)';
  const labelled = defineWorkflow({
    name: 'labelled',
    states: {
      start: {
        transitions: [{ target: 'one', when, label: 'one is done' }, { target: 'two', when }, 'three'],
        on: { failed: ['two'], timeout: ['two'], crashed: ['two'] },
      },
      one: { kind: 'end' },
      two: { kind: 'end' },
      three: { kind: 'end' },
    },
  });
  const { edges } = await drawScene(sceneOf(labelled), { ...PLAIN, layout });
  expect(edges.map(({ to, label }) => [to, label])).toEqual([
    ['start', ''],
    ['one', 'one is done'],
    ['two', 'if …'],
    ['three', 'otherwise'],
    ['two', 'on failure'],
  ]);
});

test('[U9] the direction is the one in which the picture can be shown larger, unless one is wished for', async () => {
  const long = defineWorkflow({
    name: 'long',
    start: 'step_0',
    agents: { coder: {} },
    states: Object.fromEntries([
      ...Array.from({ length: 9 }, (_, index) => [
        `step_${index}`,
        {
          work: { kind: 'turn', agent: 'coder', input: "'x'" },
          transitions: [index === 8 ? 'stop' : `step_${index + 1}`],
        },
      ]),
      ['stop', { kind: 'end' }],
    ]),
  });
  const zoom = ({ width, height }: { readonly width: number; readonly height: number }): number =>
    Math.min(1, 1000 / width, 630 / height);
  const [chosen, right, down] = await Promise.all([
    drawScene(sceneOf(long), { ...PLAIN, layout }),
    drawScene(sceneOf(long), { ...PLAIN, layout, direction: 'right' }),
    drawScene(sceneOf(long), { ...PLAIN, layout, direction: 'down' }),
  ]);
  expect(right.width).toBeGreaterThan(right.height);
  expect(down.height).toBeGreaterThan(down.width);
  expect(zoom(chosen)).toBe(Math.max(zoom(right), zoom(down)));
});

test('[U9] a review is drawn by its steps, and each knows the states it runs as', async () => {
  const review = (await loadWorkflowFolder('assets/workflows')).workflows.find(({ family }) => family === 'review');
  if (review === undefined) throw new Error('There is none.');
  const { nodes, edges } = await drawScene(sceneOf(review), { ...PLAIN, layout });
  const steps = nodes.filter(({ parent, kind }) => parent === null && kind !== 'end' && kind !== 'start');
  expect(steps.map(({ label }) => label)).toEqual([
    'implement',
    'verify',
    'review',
    'debate',
    'decide',
    'revise',
    'merge',
  ]);
  expect(new Set(nodes.flatMap(({ states }) => states))).toEqual(new Set(Object.keys(review.states)));
  expect(edges.find(({ from, to }) => from === 'review' && to === 'debate')?.ways).not.toEqual([]);
});
