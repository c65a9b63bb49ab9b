import { expect, test } from 'vitest';
import { build, end, expression, to, work } from '../../host/testing/build-definition.ts';
import type { PoolWork, WorkState } from '../../core/model/workflow.ts';
import { adaptDefinition } from '../library/wanted-definition.ts';
import { EMPTY_CONFIG } from './config.ts';

const pool = (slots: number): PoolWork => ({
  kind: 'pool',
  units: { kind: 'items', items: expression('[1, 2]'), work: { kind: 'wait', ms: expression('0') } },
  slots,
  join: { rule: 'all' },
  grow: null,
});

const slotsOf = (state: unknown): number => ((state as WorkState).work as PoolWork).slots;

test('[Q1] the user says how many steps run at the same time, in the workflow and in those it calls', () => {
  const inner = build({ name: 'inner', states: [work('all', pool(3), [to('stop')]), end('stop')] }).workflow;
  const definition = build({ states: [work('all', pool(3), [to('stop')]), end('stop')], library: { inner } });
  const wanted = adaptDefinition(definition, EMPTY_CONFIG, { slots: 8 });
  expect(slotsOf(wanted.workflow.states['all'])).toBe(8);
  expect(slotsOf(wanted.library['inner']?.states['all'])).toBe(8);
  expect(slotsOf(definition.workflow.states['all'])).toBe(3);
  expect(adaptDefinition(definition, EMPTY_CONFIG, {})).toEqual(definition);
});
