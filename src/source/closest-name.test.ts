import { expect, test } from 'vitest';
import { closestName, nameHint } from './closest-name.ts';

const names = ['transition', 'agent', 'agents', 'input', 'action'];

test.for([
  ['transiton', 'transition'],
  ['trasnition', 'transition'],
  ['Transition', 'transition'],
  ['agnet', 'agent'],
  ['actions', 'action'],
] as const)('[L3] %s was meant as %s', ([wrong, right]) => {
  expect(closestName(wrong, names)).toBe(right);
});

test('[L3] a name that is near to nothing gets the list instead of a guess', () => {
  expect(closestName('zebra', names)).toBeUndefined();
  expect(closestName('a', ['b', 'c'])).toBeUndefined();
  expect(nameHint('zebra', names)).toBe('Known here: transition, agent, agents, input, action.');
  expect(nameHint('zebra', [])).toBeUndefined();
});
