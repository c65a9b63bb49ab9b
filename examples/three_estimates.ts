import { defineWorkflow } from 'troupe';

/** Three agents estimate at the same time; two answers are enough, and a script puts them together. */
export const threeEstimates = defineWorkflow({
  name: 'three_estimates',
  description: 'Three estimates at once, put together by a script',
  inputs: { task: { type: 'string', description: 'What is to be done' } },
  output: 'estimate',
  data: { estimate: null },
  agents: { optimist: {}, realist: {}, pessimist: {} },
  states: {
    start: {
      work: {
        kind: 'pool',
        units: {
          low: { work: { kind: 'turn', agent: 'optimist', input: "'How many days? ' + common_data.task" } },
          middle: { work: { kind: 'turn', agent: 'realist', input: "'How many days? ' + common_data.task" } },
          high: { work: { kind: 'turn', agent: 'pessimist', input: "'How many days? ' + common_data.task" } },
        },
        join: { quorum: 2 },
      },
      transitions: ['sum_up'],
      // One of the three may fail; its days are then missing from the list.
      on: { partial: ['sum_up'] },
    },
    sum_up: {
      enter: `
        const said = ['optimist', 'realist', 'pessimist'].map((name) => this.getAgent(name).getLastResponse());
        const days = said.filter((text) => text !== '').map(Number);
        this.common_data.estimate = { days, mean: days.reduce((sum, each) => sum + each, 0) / days.length };
      `,
      transitions: ['done'],
    },
    done: { kind: 'end' },
  },
});
