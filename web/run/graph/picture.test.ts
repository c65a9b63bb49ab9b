import { describe, expect, test } from 'vitest';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { DETAIL_SIZE, EDGE_SIZE } from '../../../src/protocol/graph/label-lines.ts';
import { recordedTree } from '../../model/testing/recorded-tree.ts';
import { BROKEN, by, entered, smallTree } from '../../model/testing/small-run.ts';
import { activeNodes, firstNode, firstOpen } from './active-nodes.ts';
import { anchored, centredOn, filling, firstCamera, fitting, READABLE, showing } from './camera.ts';
import { edgePath, tipPath } from './edge-path.ts';
import { flowNodes } from './flow-elements.ts';
import { nextNode } from './next-node.ts';
import { nodeName } from './node-button.tsx';
import { selectedNode, selectionOf } from './selected-node.ts';
import { settled } from '../../../src/protocol/workflow-state/testing/test-records.ts';

const node = (id: string, x: number, y: number, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  parent: null,
  kind: 'turn',
  label: id,
  detail: '',
  x,
  y,
  width: 100,
  height: 40,
  state: id,
  states: [id],
  counted: [id],
  run: null,
  unit: null,
  inside: 'none',
  file: null,
  line: null,
  outcome: null,
  ...more,
});

const view = (...nodes: readonly GraphNode[]): GraphView => ({
  hash: 'h',
  direction: 'down',
  width: Math.max(...nodes.map(({ x, width }) => x + width)),
  height: Math.max(...nodes.map(({ y, height }) => y + height)),
  nodes,
  edges: [],
});

const PANE = { width: 800, height: 600 };

describe('[U2] the camera', () => {
  test('shows all where it can be read, and no larger than it is', () => {
    expect(fitting({ width: 400, height: 300 }, PANE)).toEqual({ x: 200, y: 150, zoom: 1 });
    expect(fitting({ width: 1576, height: 300 }, PANE)).toMatchObject({ x: 6, zoom: 0.5 });
  });

  test('moves when the pane changes, but only so far that no edge is empty while something is cut off', () => {
    const tall = { width: 400, height: 700 };
    expect(filling({ x: 200, y: -300, zoom: 1 }, tall, PANE)).toEqual({ x: 200, y: -106, zoom: 1 });
    expect(filling({ x: 200, y: -40, zoom: 0.5 }, tall, PANE)).toEqual({ x: 200, y: 6, zoom: 0.5 });
    expect(filling({ x: 200, y: 60, zoom: 1 }, tall, PANE)).toEqual({ x: 200, y: 6, zoom: 1 });
    for (const y of [-106, -50, 6]) {
      const still = { x: 200, y, zoom: 1 };
      expect(filling(still, tall, PANE)).toBe(still);
    }
  });

  test('begins where something goes on, when all of it would be too small', () => {
    const far = node('far', 4000, 3000);
    const large = view(node('a', 0, 0), far);
    expect(firstCamera(large, PANE, far).zoom * Math.min(DETAIL_SIZE, EDGE_SIZE)).toBeGreaterThanOrEqual(11);
    const { x, y, zoom } = firstCamera(large, PANE, far);
    expect(far.x * zoom + x).toBeGreaterThan(0);
    expect(far.x * zoom + x).toBeLessThan(PANE.width);
    expect(far.y * zoom + y).toBeLessThan(PANE.height);
  });

  test('begins where the picture does when nothing goes on, and never with text that is too small', () => {
    const [start, end] = [node('a', 400, 0), node('b', 400, 1000)];
    const { y, zoom } = firstCamera(view(start, end), PANE, null);
    expect([y, zoom]).toEqual([6, READABLE]);
    const small = view(node('a', 0, 0), node('b', 660, 500));
    expect(firstCamera(small, PANE, null)).toEqual(fitting(small, PANE));
  });

  test('does not move by itself: the node that was used stays where it is in a new layout', () => {
    const before = view(node('a', 0, 0), node('b', 0, 200));
    const after = view(node('a', 50, 0), node('b', 80, 500));
    const camera = { x: 10, y: 20, zoom: 0.5 };
    const kept = (id: string): boolean => {
      const moved = anchored(camera, { before, after, pane: PANE, node: id });
      const find = ({ nodes }: GraphView): GraphNode => nodes.find((one) => one.id === id) ?? node('', 0, 0);
      const [from, to] = [find(before), find(after)];
      const place = ({ x, y }: GraphNode, at: { x: number; y: number; zoom: number }): readonly number[] => [
        x * at.zoom + at.x,
        y * at.zoom + at.y,
      ];
      return JSON.stringify(place(from, camera)) === JSON.stringify(place(to, moved));
    };
    expect([kept('a'), kept('b')]).toEqual([true, true]);
    expect(anchored(camera, { before, after: view(node('c', 0, 0)), pane: PANE, node: null })).toBe(camera);
  });

  test('moves as little as it must to show a node', () => {
    const camera = { x: 0, y: 0, zoom: 1 };
    expect(showing(camera, node('in', 100, 100), PANE)).toBe(camera);
    expect(showing(camera, node('right', 900, 100), PANE)).toEqual({ x: -206, y: 0, zoom: 1 });
    expect(centredOn(node('m', 350, 280), PANE, 1)).toEqual({ x: 0, y: 0, zoom: 1 });
  });
});

describe('[U2] lines and nodes', () => {
  test('a line has round corners and ends where its tip begins', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 0, y: 40 },
      { x: 60, y: 40 },
    ];
    expect(edgePath(points)).toBe('M0 0L0 34Q0 40 6 40L54 40');
    expect(tipPath(points)).toBe('M60 40L53 43.5L53 36.5Z');
    expect([edgePath([]), tipPath([{ x: 1, y: 1 }])]).toEqual(['', '']);
  });

  test('containers lie below lines, everything else above', () => {
    const nodes = flowNodes(
      view(node('p', 0, 0, { inside: 'open', kind: 'pool' }), node('p/x', 9, 9, { parent: 'p', kind: 'lane' })),
    );
    expect(nodes.map(({ type, zIndex, data }) => [type, zIndex, data.pool])).toEqual([
      ['container', 0, null],
      ['box', 1000, 'p'],
    ]);
  });

  test('arrow keys go to what lies nearest in that direction', () => {
    const start = node('a', 0, 0);
    const all = [start, node('b', 200, 10), node('c', 0, 120), node('s', 100, 0, { kind: 'start' })];
    const to = (arrow: Parameters<typeof nextNode>[2]): string | undefined => nextNode(all, start, arrow)?.id;
    expect([to('ArrowRight'), to('ArrowDown'), to('ArrowUp'), to('ArrowLeft')]).toEqual([
      'b',
      'c',
      undefined,
      undefined,
    ]);
  });

  test('[U2] a node is read aloud with its kind, name, status and visit', () => {
    const look = { status: 'active', word: 'active', visits: 2, failure: null, agent: null, inside: '' } as const;
    expect(nodeName(node('review', 0, 0), look)).toBe('turn review, active, visit 2');
    const pool = node('work', 0, 0, { kind: 'pool', detail: 'pool, join any', inside: 'folded' });
    expect(nodeName(pool, { ...look, inside: '1 of 4 done' })).toBe('pool work 1 of 4 done, active, visit 2');
  });
});

describe('[U2] what is unfolded and chosen', () => {
  const tree = recordedTree('quest', 100);
  const run = tree.root;
  const lanes = ['a', 'b', 'c', 'd'].map((unit) =>
    node(`work/${unit}`, 0, 0, { parent: 'work', kind: 'lane', state: null, states: [], unit, run, inside: 'folded' }),
  );
  const picture = view(
    node('plan', 0, 0, { run }),
    node('work', 0, 100, { kind: 'pool', inside: 'open', run }),
    ...lanes,
  );

  test('innermost active nodes; a picture that can be read shows its pools, a large one only what is active', () => {
    expect(activeNodes(picture, tree).map(({ id }) => id)).toEqual(['work/a', 'work/b']);
    expect(firstOpen(picture, tree)).toEqual(['work']);
    const other = node('other', 0, 0, { kind: 'pool', inside: 'open' });
    expect(firstOpen(view(...picture.nodes, other), tree)).toEqual(['work', 'other']);
    expect(firstOpen(view(...picture.nodes, other, node('far', 9000, 0)), tree)).toEqual(['work']);
  });

  test('looked at first is what goes on; of a run that did not come out well, where it ended', () => {
    expect(firstNode(picture, tree)?.id).toBe('work/a');
    const over = smallTree(entered('code', 1), entered('review', 1, by('code')), settled('failed', BROKEN));
    const drawn = view(node('code', 0, 0, { run: 'r' }), node('review', 0, 900, { run: 'r' }));
    expect(firstNode(drawn, over)?.id).toBe('review');
    const well = smallTree(entered('code', 1), entered('review', 1, by('code')), settled());
    expect(firstNode(drawn, well)).toBeNull();
  });

  test('choosing a lane chooses the run that does it, choosing a state its state', () => {
    const [a] = lanes;
    expect(a === undefined ? null : selectionOf(tree, a, 'work')).toMatchObject({ run: `${tree.root}/t5` });
    const plan = node('plan', 0, 0, { run });
    expect(selectionOf(tree, plan, null)).toMatchObject({ run: undefined, state: 'plan', visit: undefined });
    expect(selectedNode(picture, { state: 'plan' }, tree.root)?.id).toBe('plan');
    expect(selectedNode(picture, { state: 'plan', run: 'elsewhere' }, tree.root)).toBeNull();
  });
});
