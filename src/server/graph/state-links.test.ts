import { expect, test } from 'vitest';
import type { Transition } from '../../core/model/workflow.ts';
import { code, workState } from '../../source/model-parts.ts';
import { stateLinks } from './state-links.ts';

const to = (target: string, when: string | null = null): Transition => ({
  target,
  when: when === null ? null : code(when),
  assign: null,
});

const labels = (ok: readonly Transition[], failed: readonly Transition[]): readonly (readonly [string, string])[] =>
  stateLinks(workState('a', { kind: 'none' }, { transitions: ok, on: { failed } }), (name) => name).map(
    ({ to: target, label }) => [target, label],
  );

test('[U2] an edge that is always taken says nothing, also where a failure leads there only sometimes', () => {
  expect(labels([to('b')], [to('c', 'common_data.isLast'), to('b')])).toEqual([
    ['b', ''],
    ['c', 'failed: is last'],
  ]);
});

test('[U2] `true` after a condition is "otherwise", as nothing is', () => {
  expect(labels([to('b', 'common_data.isDone'), to('c', 'true')], [])).toEqual([
    ['b', 'is done'],
    ['c', 'otherwise'],
  ]);
});

test('[U2] a variable with the name of a word is drawn by its name', () => {
  expect(labels([to('b', 'common_data.always'), to('c')], [])).toEqual([
    ['b', 'always'],
    ['c', 'otherwise'],
  ]);
});
