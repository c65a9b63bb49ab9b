import { defineWorkflow } from '../../../formats/native/define-workflow.ts';

/** A workflow of one turn, for tests in which others call it. */
export const planStep = defineWorkflow({
  name: 'step',
  start: 'plan',
  agents: { coder: {} },
  states: {
    plan: { work: { kind: 'turn', agent: 'coder', input: "'x'" }, transitions: ['stop'] },
    stop: { kind: 'end' },
  },
});
