import { expect, test } from 'vitest';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { LastPicture } from './use-graph-view.ts';

const view = (hash: string): GraphView => ({ hash, direction: 'down', width: 1, height: 1, nodes: [], edges: [] });

test('[U9] a picture that was read again and is the same is not drawn again', () => {
  const last = new LastPicture();
  const first = view('a');
  expect(last.same(null)).toBeNull();
  expect(last.same(first)).toBe(first);
  expect(last.same(view('a'))).toBe(first);
  const other = view('b');
  expect(last.same(other)).toBe(other);
});
