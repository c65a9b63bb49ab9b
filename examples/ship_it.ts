import { defineWorkflow } from 'troupe';

/**
 * An agent drafts an announcement and a person decides. The run rests until somebody answers:
 * `troupe run examples/ship_it.ts "…"`, then `troupe answer last "ship it"`.
 */
export const shipIt = defineWorkflow({
  name: 'ship_it',
  description: 'An announcement that goes out only when a person says so',
  inputs: { news: { type: 'string', description: 'What there is to announce' } },
  output: 'announcement',
  data: { draft: '', announcement: null },
  agents: { announcer: {} },
  states: {
    start: {
      work: { kind: 'turn', agent: 'announcer', input: "'Announce this in one sentence: ' + common_data.news" },
      transitions: [{ target: 'decide', assign: 'this.common_data.draft = result' }],
    },
    decide: {
      work: { kind: 'ask', question: "'Ship this? ' + common_data.draft", choices: ['ship it', 'again', 'drop it'] },
      transitions: [
        { target: 'done', when: "result === 'ship it'", assign: 'this.common_data.announcement = common_data.draft' },
        { target: 'start', when: "result === 'again'" },
        'dropped',
      ],
    },
    done: { kind: 'end' },
    dropped: { kind: 'end', outcome: 'cancelled' },
  },
});
