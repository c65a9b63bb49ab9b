import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, type Limits, type Workflow } from '../../core/model/workflow.ts';
import { limitsFor } from './run-input.ts';

const workflowWith = (limits: Partial<Limits>): Workflow => ({
  name: 'w',
  description: '',
  family: 'test',
  inputs: [],
  output: null,
  data: {},
  contexts: [],
  agents: [],
  start: 'start',
  states: {},
  limits: { ...DEFAULT_LIMITS, ...limits },
});

test('[L10] the tighter of the configured limit and the workflow’s own holds', () => {
  expect(limitsFor(workflowWith({ usd: 2 }), { usd: 5 }, {})).toEqual({});
  expect(limitsFor(workflowWith({ usd: 8 }), { usd: 5 }, {})).toEqual({ usd: 5 });
  expect(limitsFor(workflowWith({}), { tokens: 100 }, {})).toEqual({ tokens: 100 });
});

test('[SM9] a configured limit replaces a default in both directions', () => {
  expect(limitsFor(workflowWith({}), { iterations: 200 }, {})).toEqual({ iterations: 200 });
  expect(limitsFor(workflowWith({ iterations: 5 }), { iterations: 200 }, {})).toEqual({});
});

test('[L10] a flag wins over everything', () => {
  expect(limitsFor(workflowWith({ usd: 2 }), { usd: 1 }, { usd: 50 })).toEqual({ usd: 50 });
});
