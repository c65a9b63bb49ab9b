import { expect, test } from 'vitest';
import type { Effect } from '../../core/model/effect.ts';
import { taskId } from '../../core/model/ids.ts';
import { announcedOf, isUnbegun, unbegunOf } from './unbegun.ts';

const callOf = (task: string): Effect => ({
  kind: 'actor.call',
  task: taskId(task),
  agent: 'coder',
  call: 2,
  attempt: 1,
});

test('[R2] a call that an answer led to has not begun, and is no repetition for the driver that makes it', () => {
  const announced = announcedOf(callOf('t1'));
  expect(announced).toEqual({ task: 't1' });
  expect(isUnbegun(callOf('t1'), [{ task: taskId('t1') }])).toBe(true);
  expect(isUnbegun(callOf('t2'), [{ task: taskId('t1') }])).toBe(false);
  expect(isUnbegun(callOf('t1'), [{ task: taskId('t1'), toolCall: 'c1' }])).toBe(false);
});

test('[L6] a call does not say itself when it begins', () => {
  expect(unbegunOf(callOf('t1'))).toBeNull();
});
