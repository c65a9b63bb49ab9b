import { expect, test } from 'vitest';
import { choiceGroups, workspaceIn } from './choice-groups.ts';

test('[U2] two ways to choose one candidate are on one card', () => {
  const about = { workspace: 'impl_1', description: '- **Tests:** green' };
  const approve = { answer: 'APPROVE impl_1', label: 'Choose', ...about };
  const revise = { answer: 'REVISE_BEST impl_1', label: 'Choose and revise', ...about };
  const all = { answer: 'REVISE_ALL', label: 'Revise all', description: 'Each author fixes its own.' };
  const none = { answer: 'none' };
  const choiceDetails = [approve, revise, all, none];
  expect(choiceGroups({ choices: choiceDetails.map(({ answer }) => answer), choiceDetails })).toEqual({
    cards: [
      { ...about, choices: [approve, revise] },
      { workspace: undefined, description: all.description, choices: [all] },
    ],
    plain: [none],
  });
});

test('[U2] choices without a description are buttons', () => {
  expect(choiceGroups({ choices: ['yes', 'no'] })).toEqual({
    cards: [],
    plain: [{ answer: 'yes' }, { answer: 'no' }],
  });
});

test('[U2] a workspace that a run below names is looked up among its own', () => {
  expect(workspaceIn('r', 'impl_1')).toBe('impl_1');
  expect(workspaceIn('r/t3', 'impl_1')).toBe('t3.impl_1');
  expect(workspaceIn('r/t3/t4', 'impl_1')).toBe('t3.t4.impl_1');
  expect(workspaceIn('r/t3', 't3.impl_1')).toBe('t3.impl_1');
  expect(workspaceIn('r/t3', 'main')).toBe('main');
});
