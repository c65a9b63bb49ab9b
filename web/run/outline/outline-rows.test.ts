import { expect, test } from 'vitest';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import { outlineMove, outlineRows, type OutlineRow } from './outline-rows.ts';

const node = (id: string, parent: string | null, inside: GraphNode['inside'] = 'none'): GraphNode => ({
  id,
  parent,
  kind: id === '*' ? 'start' : 'turn',
  label: id,
  detail: '',
  x: 0,
  y: 0,
  width: 1,
  height: 1,
  state: id,
  states: [id],
  counted: [id],
  run: null,
  unit: null,
  inside,
  file: null,
  line: null,
  outcome: null,
});

const rows = outlineRows({
  hash: '',
  direction: 'down',
  width: 1,
  height: 1,
  edges: [],
  nodes: [node('*', null), node('a', null, 'open'), node('b', null, 'folded'), node('a/x', 'a'), node('a/y', 'a')],
});

test('[U2] the outline has what is inside of a node below it, and knows the pool of a lane', () => {
  expect(rows.map(({ node: { id }, level, pool }) => [id, level, pool])).toEqual([
    ['a', 1, null],
    ['a/x', 2, 'a'],
    ['a/y', 2, 'a'],
    ['b', 1, null],
  ]);
});

test('[U2] the keys of a tree: up and down, into and out of, fold and unfold, choose', () => {
  const [a, x, y, b] = rows as readonly [OutlineRow, OutlineRow, OutlineRow, OutlineRow];
  expect(outlineMove(rows, a, 'ArrowDown')).toEqual({ kind: 'go', to: x });
  expect(outlineMove(rows, a, 'ArrowUp')).toBeNull();
  expect(outlineMove(rows, a, 'ArrowRight')).toEqual({ kind: 'go', to: x });
  expect(outlineMove(rows, a, 'ArrowLeft')).toEqual({ kind: 'toggle' });
  expect(outlineMove(rows, y, 'ArrowLeft')).toEqual({ kind: 'go', to: a });
  expect(outlineMove(rows, y, 'ArrowRight')).toBeNull();
  expect(outlineMove(rows, b, 'ArrowRight')).toEqual({ kind: 'toggle' });
  expect(outlineMove(rows, x, 'End')).toEqual({ kind: 'go', to: b });
  expect(outlineMove(rows, b, 'Home')).toEqual({ kind: 'go', to: a });
  expect(outlineMove(rows, b, 'Enter')).toEqual({ kind: 'choose' });
  expect(outlineMove(rows, b, 'q')).toBeNull();
});
