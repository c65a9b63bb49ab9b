import { expect, test } from 'vitest';
import { defineWorkflow } from '../../formats/native/define-workflow.ts';
import { buildChart } from './build-chart.ts';
import { PLAIN } from './draw-scene.ts';
import { toElk } from './elk-flow.ts';
import { ElkThread } from './elk-thread.ts';
import type { Flow } from './flow.ts';
import { layChart } from './lay-chart.ts';
import { FlowLayout } from './lay-flow.ts';
import { plainFlow } from './plain-flow.ts';
import { flawsOf } from './testing/sound-picture.ts';

const chain = (count: number): Flow => ({
  direction: 'right',
  sizes: Array.from({ length: count }, () => ({ width: 100, height: 40 })),
  links: Array.from({ length: count - 1 }, (_, index) => ({ from: index, to: index + 1, isBack: false, label: null })),
});

test('[U9] a layout that takes too long is stopped, and the next one has a new thread', async () => {
  const elk = new ElkThread();
  await expect(elk.layout(toElk(chain(300)), 1)).rejects.toThrow('took more than 1 ms');
  const laid = await elk.layout(toElk(chain(3)));
  expect(laid.children?.map(({ x }) => x)).toEqual([0, 136, 272]);
});

test('[U9] what ELK refuses is reported, and the thread goes on', async () => {
  const elk = new ElkThread();
  const broken = { id: 'root', children: [{ id: 'a' }], edges: [{ id: 'e', sources: ['a'], targets: ['nobody'] }] };
  await expect(elk.layout(broken)).rejects.toThrow(/nobody|reference/i);
  await expect(elk.layout(toElk(chain(2)))).resolves.toMatchObject({ id: 'root' });
});

test('[U9] the same flow is laid out once, whatever its boxes are called', () => {
  const layout = new FlowLayout();
  expect(layout.lay(chain(4))).toBe(layout.lay(chain(4)));
  expect(layout.lay(chain(4))).not.toBe(layout.lay({ ...chain(4), direction: 'down' }));
});

test('[U9] more than ELK can do in time is drawn plainly and soundly', async () => {
  const states = Array.from({ length: 40 }, (_, index) => [
    `s${index}`,
    {
      transitions: [
        { target: `s${(index * 7) % 40}`, when: 'common_data.n > 1' },
        { target: `s${index}`, when: 'common_data.n > 2' },
        index === 39 ? 'stop' : `s${index + 1}`,
      ],
    },
  ]);
  const workflow = defineWorkflow({
    name: 'many',
    start: 's0',
    agents: {},
    states: Object.fromEntries([...states, ['stop', { kind: 'end' }]]),
  });
  const scene = { run: null, workflow, drawing: { workflow, units: {} }, library: {}, story: null, prefix: '' };
  const chart = await buildChart(scene, PLAIN.building);
  for (const direction of ['right', 'down'] as const) {
    const view = await layChart(chart, { lay: (flow) => Promise.resolve(plainFlow(flow)) }, direction);
    expect(flawsOf(view)).toEqual([]);
  }
  const laid = await new FlowLayout().lay(chain(1_300));
  expect(laid).toEqual(plainFlow(chain(1_300)));
});
